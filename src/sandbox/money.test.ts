import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestWorld } from '#tests/support/sandbox-world.ts';
import { cardFeeCents } from './money.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await TestWorld.open();
});
afterEach(async () => {
  await world.sandbox.idle();
  await theBooksBalance();
  world.received.length = 0;
});
afterAll(() => world.close());

const DAY = 24 * 60 * 60;

async function sell(cents: number, number?: string) {
  const session = await world.openSession([{ name: 'Door', cents, quantity: 1 }]);
  await world.pay(session.url ?? '', number);
  const { payment_intent } = await world.stripe.checkout.sessions.retrieve(session.id);
  return String(payment_intent);
}

async function theBooksBalance() {
  const balance = await world.stripe.balance.retrieve();
  let net = 0;
  for await (const transaction of world.stripe.balanceTransactions.list({ limit: 100 })) net += transaction.net;
  expect((balance.available[0]?.amount ?? 0) + (balance.pending[0]?.amount ?? 0)).toBe(net);
}

it.each([
  [50, 31],
  [2500, 103],
  [5000, 175],
  [99_999_999, 2_900_030],
])('a charge of %i cents costs %i', (amount, fee) => {
  expect(cardFeeCents(amount)).toBe(fee);
});

describe('refunds', () => {
  it('give back a part, then the rest, then nothing', async () => {
    const payment_intent = await sell(25_00);

    const part = await world.stripe.refunds.create({ payment_intent, amount: 10_00, metadata: { refund_id: 'r1' } });
    expect(part).toMatchObject({ object: 'refund', status: 'succeeded', amount: 10_00, metadata: { refund_id: 'r1' } });
    await expect(world.stripe.refunds.create({ payment_intent, amount: 30_00 })).rejects.toMatchObject({
      param: 'amount',
      message: 'Refund amount ($30.00) is greater than unrefunded amount on charge ($15.00)',
    });
    expect((await world.stripe.refunds.create({ payment_intent })).amount).toBe(15_00);
    await expect(world.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });

    const charge = (await world.stripe.charges.list({ payment_intent, expand: ['data.refunds'] })).data[0];
    expect(charge).toMatchObject({ amount_refunded: 25_00, refunded: true });
    expect(charge?.refunds?.data.map(({ amount }) => amount)).toEqual([15_00, 10_00]);
    await world.sandbox.idle();
    expect(world.eventTypes().filter((type) => type.includes('refund'))).toHaveLength(4);
  });

  it('settle later, or fail, when the card says so', async () => {
    await sell(500_00);
    const slow = await world.stripe.refunds.create({ payment_intent: await sell(20_00, '4000000000007726') });
    const failing = await world.stripe.refunds.create({ payment_intent: await sell(20_00, '4000000000005126') });
    expect([slow.status, failing.status]).toEqual(['pending', 'succeeded']);

    await world.control('clock', { advance_seconds: DAY });

    expect((await world.stripe.refunds.retrieve(slow.id)).status).toBe('succeeded');
    expect(await world.stripe.refunds.retrieve(failing.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    expect(world.eventTypes()).toContain('refund.failed');
  });
});

describe('a refund without money', () => {
  async function waitingRefund(): Promise<string> {
    const payment_intent = await sell(20_00, '4000000000000077');
    const { id } = await world.onboardedAccount();
    await world.control('clock', { advance_seconds: 3 * DAY });
    const rest = (await world.stripe.balance.retrieve()).available[0]?.amount ?? 0;
    await world.stripe.transfers.create({ amount: rest, currency: 'usd', destination: id });

    const refund = await world.stripe.refunds.create({ payment_intent });
    expect(refund).toMatchObject({
      status: 'pending',
      pending_reason: 'insufficient_funds',
      balance_transaction: null,
    });
    return refund.id;
  }

  it('waits until there is some', async () => {
    const refundId = await waitingRefund();
    await sell(50_00);
    await world.control('clock', { advance_seconds: 1 });

    expect(await world.stripe.refunds.retrieve(refundId)).toMatchObject({ status: 'succeeded' });
  });

  it('is paid before the sandbox is idle', async () => {
    const refundId = await waitingRefund();
    await sell(50_00);
    await world.sandbox.idle();

    expect(await world.stripe.refunds.retrieve(refundId)).toMatchObject({ status: 'succeeded' });
    expect(world.eventTypes()).toContain('refund.updated');
  });
});

describe('transfers', () => {
  it('reach the bank at midnight, and a reversal then finds an empty balance', async () => {
    await sell(100_00, '4000000000000077');
    const { id } = await world.onboardedAccount();
    const transfer = await world.stripe.transfers.create({ amount: 50_00, currency: 'usd', destination: id });

    await world.control('clock', { advance_seconds: DAY + 61 });

    const payouts = await world.stripe.payouts.list({}, { stripeAccount: id });
    expect(payouts.data.map(({ amount, status }) => [amount, status])).toEqual([[50_00, 'paid']]);
    expect((await world.stripe.balance.retrieve({}, { stripeAccount: id })).available[0]?.amount).toBe(0);
    await expect(world.stripe.transfers.createReversal(transfer.id)).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
  });

  it('wait for available money, and book both sides', async () => {
    await world.control('clock', { advance_seconds: 3 * DAY });
    const { id } = await world.onboardedAccount();
    await sell(100_00);
    const available = (await world.stripe.balance.retrieve()).available[0]?.amount ?? 0;
    const amount = available + 50_00;
    const wish = {
      amount,
      currency: 'usd',
      destination: id,
      transfer_group: 'event_e1',
      metadata: { payout_id: 'p1' },
    };

    await expect(world.stripe.transfers.create(wish)).rejects.toMatchObject({ code: 'balance_insufficient' });
    await world.control('clock', { advance_seconds: 2 * DAY });
    const transfer = await world.stripe.transfers.create(wish);

    expect(transfer).toMatchObject({ object: 'transfer', destination: id, reversed: false });
    expect((await world.stripe.transfers.list({ transfer_group: 'event_e1' })).data[0]?.id).toBe(transfer.id);
    const connected = await world.stripe.balance.retrieve({}, { stripeAccount: id });
    expect(connected.available[0]?.amount).toBe(amount);
    await world.sandbox.idle();
    expect(world.eventTypes()).toEqual(expect.arrayContaining(['balance.available', 'transfer.created']));

    const reversal = await world.stripe.transfers.createReversal(transfer.id, { amount: 10_00 });
    expect(reversal).toMatchObject({ object: 'transfer_reversal', amount: 10_00, transfer: transfer.id });
    expect(await world.stripe.transfers.retrieve(transfer.id)).toMatchObject({
      amount_reversed: 10_00,
      reversed: false,
    });
    expect((await world.stripe.balance.retrieve({}, { stripeAccount: id })).available[0]?.amount).toBe(amount - 10_00);
  });

  it('go to no account that is not ready, or not there', async () => {
    await sell(100_00, '4000000000000077');
    const { id } = await world.openAccount();

    await expect(
      world.stripe.transfers.create({ amount: 100, currency: 'usd', destination: id }),
    ).rejects.toMatchObject({
      code: 'insufficient_capabilities_for_transfer',
    });
    await expect(
      world.stripe.transfers.create({ amount: 100, currency: 'usd', destination: 'acct_x' }),
    ).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await expect(world.stripe.transfers.create({ amount: 0, currency: 'usd', destination: id })).rejects.toMatchObject({
      code: 'parameter_invalid_integer',
    });
  });

  it('may take what one charge brought, before it has cleared', async () => {
    const intent = await world.stripe.paymentIntents.retrieve(await sell(40_00));
    const { id } = await world.onboardedAccount();
    const wish = { amount: 30_00, currency: 'usd', destination: id, source_transaction: String(intent.latest_charge) };

    await world.stripe.transfers.create(wish);

    await expect(world.stripe.transfers.create(wish)).rejects.toMatchObject({ param: 'amount' });
    expect((await world.stripe.balance.retrieve({}, { stripeAccount: id })).pending[0]?.amount).toBe(30_00);
  });
});
