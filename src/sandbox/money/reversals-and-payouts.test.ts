import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

const DAY = 24 * 3600;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(async () => {
  await sandbox.sandbox.idle();
  sandbox.received.length = 0;
});
afterAll(() => sandbox.close());

const createPayment = async (cents: number) => {
  const session = await sandbox.openSession([{ name: 'Door', cents, quantity: 1 }]);
  await sandbox.pay(session.url ?? '', '4000000000000077');
};

const transferTo = async (cents: number) => {
  await createPayment(2 * cents);
  const { id } = await sandbox.onboardedAccount();
  const transfer = await sandbox.stripe.transfers.create({ amount: cents, currency: 'usd', destination: id });
  return { account: { stripeAccount: id }, id, transfer };
};

const availableOf = async (stripeAccount?: string) =>
  (await sandbox.stripe.balance.retrieve({}, stripeAccount ? { stripeAccount } : {})).available[0]?.amount ?? 0;

/** Type and account of each received event. */
const receivedEvents = async () => {
  await sandbox.sandbox.idle();
  return sandbox.received.map((received) => {
    const { type, account } = sandbox.verified(received);
    return [type, account ?? null];
  });
};

describe('a reversal', () => {
  it('can be partial and changes both balances', async () => {
    const { id, transfer } = await transferTo(50_00);
    const before = await availableOf();

    const once = () =>
      sandbox.stripe.transfers.createReversal(
        transfer.id,
        { amount: 20_00, description: 'Dispute', metadata: { stripe_reversal_id: 'r1' } },
        { idempotencyKey: 'trr:r1:1' },
      );
    const first = await once();
    expect((await once()).id).toBe(first.id);
    expect(first).toMatchObject({
      object: 'transfer_reversal',
      transfer: transfer.id,
      metadata: { stripe_reversal_id: 'r1' },
    });
    expect([await availableOf(), await availableOf(id)]).toEqual([before + 20_00, 30_00]);
    expect(await sandbox.stripe.transfers.retrieve(transfer.id)).toMatchObject({
      amount_reversed: 20_00,
      reversed: false,
      reversals: { data: [{ id: first.id }], has_more: false },
    });

    await expect(sandbox.stripe.transfers.createReversal(transfer.id, { amount: 30_01 })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      param: 'amount',
    });
    const rest = await sandbox.stripe.transfers.createReversal(transfer.id);
    expect(rest.amount).toBe(30_00);
    await expect(sandbox.stripe.transfers.createReversal(transfer.id)).rejects.toMatchObject({ statusCode: 400 });

    const { data } = await sandbox.stripe.transfers.listReversals(transfer.id);
    expect(data.map(({ id }) => id)).toEqual([rest.id, first.id]);
    expect((await sandbox.stripe.transfers.retrieveReversal(transfer.id, first.id)).amount).toBe(20_00);
    expect((await sandbox.stripe.transfers.retrieve(transfer.id)).reversed).toBe(true);
    const types = (await receivedEvents()).map(([type]) => type);
    expect(types.filter((type) => type === 'transfer.reversed')).toHaveLength(2);
    expect(types.filter((type) => type === 'transfer.updated')).toHaveLength(2);
  });

  it('fails when the connected balance has been paid out', async () => {
    const { id, transfer } = await transferTo(50_00);
    await sandbox.control('clock', { advance_seconds: DAY + 61 });
    const before = await availableOf();

    await expect(sandbox.stripe.transfers.createReversal(transfer.id, { amount: 1 })).rejects.toMatchObject({
      statusCode: 400,
      code: 'balance_insufficient',
    });
    expect([await availableOf(), await availableOf(id)]).toEqual([before, 0]);
    expect((await sandbox.stripe.transfers.retrieve(transfer.id)).amount_reversed).toBe(0);
  });
});

describe('payouts', () => {
  it('run daily on connected accounts and include their balance transactions', async () => {
    const { id, account, transfer } = await transferTo(50_00);
    await sandbox.sandbox.idle();
    sandbox.received.length = 0;

    await sandbox.control('clock', { advance_seconds: DAY + 61 });

    const [payout] = (await sandbox.stripe.payouts.list({ status: 'paid' }, account)).data;
    expect(payout).toMatchObject({ amount: 50_00, automatic: true, status: 'paid' });
    expect(await receivedEvents()).toEqual([
      ['payout.created', id],
      ['payout.paid', id],
    ]);
    await createPayment(20_00);
    await sandbox.stripe.transfers.create({ amount: 5_00, currency: 'usd', destination: id });
    const included = await sandbox.stripe.balanceTransactions.list({ payout: payout?.id ?? '' }, account);
    expect(included.data.map(({ type, source }) => [type, source])).toEqual([
      ['payout', payout?.id],
      ['payment', transfer.destination_payment],
    ]);
    await expect(sandbox.stripe.payouts.retrieve(payout?.id ?? '')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('can be created manually up to the available balance', async () => {
    const { account } = await transferTo(50_00);
    await sandbox.stripe.balanceSettings.update(
      { payments: { payouts: { schedule: { interval: 'manual' } } } },
      account,
    );
    await sandbox.control('clock', { advance_seconds: 2 * DAY });
    expect((await sandbox.stripe.payouts.list({}, account)).data).toEqual([]);

    await expect(sandbox.stripe.payouts.create({ amount: 50_01, currency: 'usd' }, account)).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
    const payout = await sandbox.stripe.payouts.create(
      { amount: 20_00, currency: 'usd', metadata: { a: 'b' } },
      account,
    );
    expect(payout).toMatchObject({ status: 'pending', automatic: false, metadata: { a: 'b' } });
    await sandbox.control('clock', { advance_seconds: 61 });

    expect((await sandbox.stripe.payouts.retrieve(payout.id, {}, account)).status).toBe('paid');
    expect(await availableOf(account.stripeAccount)).toBe(30_00);
    await expect(sandbox.stripe.balanceTransactions.list({ payout: payout.id }, account)).rejects.toThrow('automatic');
  });

  it('return to the balance when the bank rejects them, until the account changes its bank', async () => {
    const { id, account } = await transferTo(50_00);
    await sandbox.control(`accounts/${id}`, { bank: 'refuses' });
    await sandbox.sandbox.idle();
    sandbox.received.length = 0;

    await sandbox.control('clock', { advance_seconds: 3 * DAY });

    const { data } = await sandbox.stripe.payouts.list({}, account);
    expect(data).toMatchObject([{ status: 'failed', failure_code: 'account_closed' }]);
    expect(await receivedEvents()).toEqual([
      ['payout.created', id],
      ['payout.failed', id],
      ['account.updated', id],
    ]);
    expect(await availableOf(id)).toBe(50_00);
    expect(await sandbox.stripe.accounts.retrieve(id)).toMatchObject({
      payouts_enabled: false,
      capabilities: { transfers: 'active' },
    });

    await sandbox.submit((await sandbox.accountLink(id)).url, { outcome: 'complete' });
    await sandbox.control('clock', { advance_seconds: DAY + 61 });
    expect(await availableOf(id)).toBe(0);
  });

  it('run on the platform only after it opts in', async () => {
    await createPayment(100_00);
    expect((await sandbox.stripe.balanceSettings.retrieve()).payments.payouts?.schedule?.interval).toBe('manual');
    await sandbox.control('clock', { advance_seconds: 3 * DAY });
    expect(await availableOf()).toBeGreaterThan(0);

    await sandbox.stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'daily' } } } });
    await sandbox.control('clock', { advance_seconds: DAY + 61 });

    expect(await availableOf()).toBe(0);
    expect((await sandbox.stripe.payouts.list()).data).toMatchObject([{ automatic: true, status: 'paid' }]);
    await sandbox.stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } });
  });
});
