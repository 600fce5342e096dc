import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

const MANY = 103;

let sandbox: TestSandbox;
let intentId = '';
let accountId = '';
let transferIds: string[] = [];
let startedAt = 0;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
  startedAt = Math.floor(Date.now() / 1000);
  const session = await sandbox.openSession([{ name: 'Door', cents: 500_00, quantity: 1 }]);
  await sandbox.pay(session.url ?? '', '4000000000000077');
  intentId = String((await sandbox.stripe.checkout.sessions.retrieve(session.id)).payment_intent);
  accountId = (await sandbox.onboardedAccount()).id;
  const many = Array.from({ length: MANY });
  await Promise.all(many.map(() => sandbox.stripe.refunds.create({ payment_intent: intentId, amount: 100 })));
  const transfers = await Promise.all(
    many.map(() =>
      sandbox.stripe.transfers.create({
        amount: 100,
        currency: 'usd',
        destination: accountId,
        transfer_group: 'event_1',
      }),
    ),
  );
  transferIds = transfers.map(({ id }) => id);
  await Promise.all(many.map(() => sandbox.openSession()));
  await sandbox.stripe.transfers.createReversal(transferIds[0] ?? '', { amount: 40 });
});
afterAll(() => sandbox.close());

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { id } of list) ids.add(id);
  return ids;
}

describe('SDK pagination returns', () => {
  it('all refunds of a payment', async () => {
    const refunds = sandbox.stripe.refunds.list({ payment_intent: intentId, created: { gte: startedAt }, limit: 100 });
    expect((await idsOf(refunds)).size).toBe(MANY);
    const { data } = await sandbox.stripe.refunds.list({ created: { gt: startedAt + 86_400 } });
    expect(data).toEqual([]);
    const charge = String((await sandbox.stripe.paymentIntents.retrieve(intentId)).latest_charge);
    expect((await idsOf(sandbox.stripe.refunds.list({ charge, limit: 37 }))).size).toBe(MANY);
  });

  it('all transfers of a group and of a destination', async () => {
    const group = await idsOf(sandbox.stripe.transfers.list({ transfer_group: 'event_1', limit: 100 }));
    expect(group).toEqual(new Set(transferIds));
    expect(await idsOf(sandbox.stripe.transfers.list({ destination: accountId, created: { gte: startedAt } }))).toEqual(
      group,
    );
    expect((await sandbox.stripe.transfers.list({ transfer_group: 'event_2' })).data).toEqual([]);
  });

  it('all open sessions', async () => {
    const open = sandbox.stripe.checkout.sessions.list({ status: 'open', created: { gte: startedAt }, limit: 50 });
    expect((await idsOf(open)).size).toBe(MANY);
  });

  it('all balance transactions, with and without a type', async () => {
    const all = await idsOf(sandbox.stripe.balanceTransactions.list({ limit: 100, created: { gte: startedAt } }));
    expect(all.size).toBe(1 + MANY + MANY + 1);
    expect((await idsOf(sandbox.stripe.balanceTransactions.list({ type: 'refund', limit: 100 }))).size).toBe(MANY);
    const accountTransactions = sandbox.stripe.balanceTransactions.list({ limit: 100 }, { stripeAccount: accountId });
    expect((await idsOf(accountTransactions)).size).toBe(MANY + 1);
  });

  it('all open accounts, and closed accounts on request', async () => {
    const made = await Promise.all([1, 2, 3].map(() => sandbox.openAccount()));
    const [first] = made;
    await sandbox.stripe.v2.core.accounts.close(first?.id ?? '', { applied_configurations: ['recipient'] });

    const open = await idsOf(sandbox.stripe.v2.core.accounts.list({ limit: 2, applied_configurations: ['recipient'] }));
    expect(open.size).toBe(3);
    expect(open.has(first?.id ?? '')).toBe(false);
    expect(await idsOf(sandbox.stripe.v2.core.accounts.list({ closed: true }))).toEqual(new Set([first?.id]));
  });
});

describe('list filters', () => {
  it('find a session by payment and by email, with expanded objects', async () => {
    const byPayment = await sandbox.stripe.checkout.sessions.list({
      payment_intent: intentId,
      expand: ['data.payment_intent.latest_charge.balance_transaction', 'data.line_items'],
    });
    const [session] = byPayment.data;
    expect(session).toMatchObject({
      line_items: { data: [{ object: 'item', amount_total: 500_00 }] },
      payment_intent: { latest_charge: { balance_transaction: { object: 'balance_transaction', fee: 14_80 } } },
    });
    const email = session?.customer_details?.email ?? '';
    const byEmail = await sandbox.stripe.checkout.sessions.list({ customer_details: { email } });
    expect(byEmail.data.map(({ id }) => id)).toEqual([session?.id]);
    expect((await sandbox.stripe.charges.list({ payment_intent: intentId })).data).toHaveLength(1);
    const intent = await sandbox.stripe.paymentIntents.retrieve(intentId, {
      expand: ['latest_charge.balance_transaction'],
    });
    expect(intent.latest_charge).toMatchObject({ balance_transaction: { net: 500_00 - 14_80 } });
  });

  it('find balance transactions by source, with the source expanded', async () => {
    const objects = new Map<string, string>();
    const list = sandbox.stripe.balanceTransactions.list({ expand: ['data.source'], limit: 100 });
    for await (const { type, source } of list) {
      if (typeof source === 'object' && source) objects.set(type, source.object);
    }
    expect(Object.fromEntries(objects)).toEqual({
      charge: 'charge',
      refund: 'refund',
      transfer: 'transfer',
      transfer_refund: 'transfer_reversal',
    });

    const accountTransactions = sandbox.stripe.balanceTransactions.list(
      { expand: ['data.source'], limit: 100 },
      { stripeAccount: accountId },
    );
    for await (const { type, source } of accountTransactions) {
      expect(source).toMatchObject({ object: type === 'payment' ? 'charge' : 'refund' });
    }
    const [reversed] = (await sandbox.stripe.balanceTransactions.list({ type: 'transfer_refund' })).data;
    const { data } = await sandbox.stripe.balanceTransactions.list({ source: String(reversed?.source) });
    expect(data.map(({ id }) => id)).toEqual([reversed?.id]);
  });

  it('reject two cursors and objects of another account', async () => {
    const [first] = transferIds;
    const both = sandbox.stripe.transfers.list({ starting_after: first ?? '', ending_before: first ?? '' });
    await expect(both).rejects.toMatchObject({ statusCode: 400 });
    await expect(
      sandbox.stripe.transfers.retrieve(first ?? '', {}, { stripeAccount: accountId }),
    ).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await expect(sandbox.stripe.balance.retrieve({}, { stripeAccount: 'acct_unknown' })).rejects.toMatchObject({
      type: 'StripePermissionError',
      code: 'account_invalid',
    });
  });
});

describe('expand', () => {
  it('rejects an unknown property, rolls back the call and stores no response', async () => {
    const params = { payment_intent: intentId, amount: 100 };
    const key = { idempotencyKey: 'wrong-expand' };
    await expect(sandbox.stripe.refunds.create({ ...params, expand: ['amount'] }, key)).rejects.toMatchObject({
      message: 'This property cannot be expanded (amount).',
    });
    expect((await idsOf(sandbox.stripe.refunds.list({ payment_intent: intentId, limit: 100 }))).size).toBe(MANY);
    const refund = await sandbox.stripe.refunds.create({ ...params, expand: ['charge.payment_intent'] }, key);
    expect(refund.charge).toMatchObject({ payment_intent: { object: 'payment_intent' } });
  });

  it('rejects more than four levels', async () => {
    await expect(
      sandbox.stripe.refunds.list({ expand: ['data.charge.payment_intent.latest_charge.balance_transaction.source'] }),
    ).rejects.toMatchObject({ statusCode: 400 });
  });
});
