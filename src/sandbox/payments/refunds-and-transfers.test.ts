import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processingFeeCents } from '#sandbox/money/balances.ts';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(async () => {
  await sandbox.sandbox.idle();
  await expectBalanceToMatchTransactions();
  sandbox.received.length = 0;
});
afterAll(() => sandbox.close());

const DAY = 24 * 60 * 60;

async function createPayment(cents: number, number?: string) {
  const session = await sandbox.openSession([{ name: 'Door', cents, quantity: 1 }]);
  await sandbox.pay(session.url ?? '', number);
  const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
  return String(payment_intent);
}

async function expectBalanceToMatchTransactions() {
  const balance = await sandbox.stripe.balance.retrieve();
  let net = 0;
  for await (const transaction of sandbox.stripe.balanceTransactions.list({ limit: 100 })) net += transaction.net;
  expect((balance.available[0]?.amount ?? 0) + (balance.pending[0]?.amount ?? 0)).toBe(net);
}

it.each([
  [50, 31],
  [2500, 103],
  [5000, 175],
  [99_999_999, 2_900_030],
])('the processing fee of %i cents is %i', (amount, fee) => {
  expect(processingFeeCents(amount)).toBe(fee);
});

describe('refunds', () => {
  it('are limited to the unrefunded amount', async () => {
    const payment_intent = await createPayment(25_00);

    const part = await sandbox.stripe.refunds.create({ payment_intent, amount: 10_00, metadata: { refund_id: 'r1' } });
    expect(part).toMatchObject({ object: 'refund', status: 'succeeded', amount: 10_00, metadata: { refund_id: 'r1' } });
    await expect(sandbox.stripe.refunds.create({ payment_intent, amount: 30_00 })).rejects.toMatchObject({
      param: 'amount',
      message: 'Refund amount ($30.00) is greater than unrefunded amount on charge ($15.00)',
    });
    expect((await sandbox.stripe.refunds.create({ payment_intent })).amount).toBe(15_00);
    await expect(sandbox.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });

    const charge = (await sandbox.stripe.charges.list({ payment_intent, expand: ['data.refunds'] })).data[0];
    expect(charge).toMatchObject({ amount_refunded: 25_00, refunded: true });
    expect(charge?.refunds?.data.map(({ amount }) => amount)).toEqual([15_00, 10_00]);
    await sandbox.sandbox.idle();
    expect(sandbox.eventTypes().filter((type) => type.includes('refund'))).toHaveLength(4);
  });

  it('settle later or fail, depending on the card', async () => {
    await createPayment(500_00);
    const slow = await sandbox.stripe.refunds.create({
      payment_intent: await createPayment(20_00, '4000000000007726'),
    });
    const failing = await sandbox.stripe.refunds.create({
      payment_intent: await createPayment(20_00, '4000000000005126'),
    });
    expect([slow.status, failing.status]).toEqual(['pending', 'succeeded']);

    await sandbox.control('clock', { advance_seconds: DAY });

    expect((await sandbox.stripe.refunds.retrieve(slow.id)).status).toBe('succeeded');
    expect(await sandbox.stripe.refunds.retrieve(failing.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    expect(sandbox.eventTypes()).toContain('refund.failed');
  });
});

describe('a refund without funds', () => {
  async function refundAwaitingFunds(): Promise<string> {
    const payment_intent = await createPayment(20_00, '4000000000000077');
    const { id } = await sandbox.onboardedAccount();
    await sandbox.control('clock', { advance_seconds: 3 * DAY });
    const remaining = (await sandbox.stripe.balance.retrieve()).available[0]?.amount ?? 0;
    await sandbox.stripe.transfers.create({ amount: remaining, currency: 'usd', destination: id });

    const refund = await sandbox.stripe.refunds.create({ payment_intent });
    expect(refund).toMatchObject({
      status: 'pending',
      pending_reason: 'insufficient_funds',
      balance_transaction: null,
    });
    return refund.id;
  }

  it('succeeds once there are funds', async () => {
    const refundId = await refundAwaitingFunds();
    await createPayment(50_00);
    await sandbox.control('clock', { advance_seconds: 1 });

    expect(await sandbox.stripe.refunds.retrieve(refundId)).toMatchObject({ status: 'succeeded' });
  });

  it('settles before the sandbox is idle', async () => {
    const refundId = await refundAwaitingFunds();
    await createPayment(50_00);
    await sandbox.sandbox.idle();

    expect(await sandbox.stripe.refunds.retrieve(refundId)).toMatchObject({ status: 'succeeded' });
    expect(sandbox.eventTypes()).toContain('refund.updated');
  });
});

describe('transfers', () => {
  it('are paid out at midnight, after which a reversal finds an empty balance', async () => {
    await createPayment(100_00, '4000000000000077');
    const { id } = await sandbox.onboardedAccount();
    const transfer = await sandbox.stripe.transfers.create({ amount: 50_00, currency: 'usd', destination: id });

    await sandbox.control('clock', { advance_seconds: DAY + 61 });

    const payouts = await sandbox.stripe.payouts.list({}, { stripeAccount: id });
    expect(payouts.data.map(({ amount, status }) => [amount, status])).toEqual([[50_00, 'paid']]);
    expect((await sandbox.stripe.balance.retrieve({}, { stripeAccount: id })).available[0]?.amount).toBe(0);
    await expect(sandbox.stripe.transfers.createReversal(transfer.id)).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
  });

  it('require available funds and change both balances', async () => {
    await sandbox.control('clock', { advance_seconds: 3 * DAY });
    const { id } = await sandbox.onboardedAccount();
    await createPayment(100_00);
    const available = (await sandbox.stripe.balance.retrieve()).available[0]?.amount ?? 0;
    const amount = available + 50_00;
    const params = {
      amount,
      currency: 'usd',
      destination: id,
      transfer_group: 'event_e1',
      metadata: { payout_id: 'p1' },
    };

    await expect(sandbox.stripe.transfers.create(params)).rejects.toMatchObject({ code: 'balance_insufficient' });
    await sandbox.control('clock', { advance_seconds: 2 * DAY });
    const transfer = await sandbox.stripe.transfers.create(params);

    expect(transfer).toMatchObject({ object: 'transfer', destination: id, reversed: false });
    expect((await sandbox.stripe.transfers.list({ transfer_group: 'event_e1' })).data[0]?.id).toBe(transfer.id);
    const connected = await sandbox.stripe.balance.retrieve({}, { stripeAccount: id });
    expect(connected.available[0]?.amount).toBe(amount);
    await sandbox.sandbox.idle();
    expect(sandbox.eventTypes()).toEqual(expect.arrayContaining(['balance.available', 'transfer.created']));

    const reversal = await sandbox.stripe.transfers.createReversal(transfer.id, { amount: 10_00 });
    expect(reversal).toMatchObject({ object: 'transfer_reversal', amount: 10_00, transfer: transfer.id });
    expect(await sandbox.stripe.transfers.retrieve(transfer.id)).toMatchObject({
      amount_reversed: 10_00,
      reversed: false,
    });
    expect((await sandbox.stripe.balance.retrieve({}, { stripeAccount: id })).available[0]?.amount).toBe(
      amount - 10_00,
    );
  });

  it('require an existing account with active transfers', async () => {
    await createPayment(100_00, '4000000000000077');
    const { id } = await sandbox.openAccount();

    await expect(
      sandbox.stripe.transfers.create({ amount: 100, currency: 'usd', destination: id }),
    ).rejects.toMatchObject({
      code: 'insufficient_capabilities_for_transfer',
    });
    await expect(
      sandbox.stripe.transfers.create({ amount: 100, currency: 'usd', destination: 'acct_x' }),
    ).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await expect(
      sandbox.stripe.transfers.create({ amount: 0, currency: 'usd', destination: id }),
    ).rejects.toMatchObject({
      code: 'parameter_invalid_integer',
    });
  });

  it('can use the pending funds of a source transaction', async () => {
    const intent = await sandbox.stripe.paymentIntents.retrieve(await createPayment(40_00));
    const { id } = await sandbox.onboardedAccount();
    const params = {
      amount: 30_00,
      currency: 'usd',
      destination: id,
      source_transaction: String(intent.latest_charge),
    };

    await sandbox.stripe.transfers.create(params);

    await expect(sandbox.stripe.transfers.create(params)).rejects.toMatchObject({ param: 'amount' });
    expect((await sandbox.stripe.balance.retrieve({}, { stripeAccount: id })).pending[0]?.amount).toBe(30_00);
  });
});
