import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
  // Enough for every refund below to succeed immediately.
  await createPayment(10_000_00);
});
afterEach(async () => {
  await sandbox.sandbox.idle();
  await checkedBalance();
  sandbox.received.length = 0;
});
afterAll(() => sandbox.close());

const FRAUD = '4000000000000259';
const NOT_RECEIVED = '4000000000002685';
const INQUIRY = '4000000000001976';
const FRAUD_WARNING = '4000000000005423';

async function createPayment(cents: number, number?: string) {
  const session = await sandbox.openSession([{ name: 'Door', cents, quantity: 1 }]);
  await sandbox.pay(session.url ?? '', number);
  const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
  return String(payment_intent);
}

async function disputed(cents: number, number: string) {
  const payment_intent = await createPayment(cents, number);
  const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent })).data;
  if (!dispute) throw new Error('no dispute was created');
  return { payment_intent, dispute };
}

/** Returns the balance after checking that it equals the sum of its balance transactions. */
async function checkedBalance() {
  const { available, pending } = await sandbox.stripe.balance.retrieve();
  const displayed = (available[0]?.amount ?? 0) + (pending[0]?.amount ?? 0);
  let net = 0;
  for await (const transaction of sandbox.stripe.balanceTransactions.list({ limit: 100 })) net += transaction.net;
  expect(displayed).toBe(net);
  return displayed;
}

const disputeEvents = () => sandbox.eventTypes().filter((type) => type.startsWith('charge.dispute'));

describe('a disputed payment', () => {
  it.each([
    [FRAUD, 'fraudulent', '10.4'],
    [NOT_RECEIVED, 'product_not_received', '13.1'],
  ])('withdraws the amount and the fee immediately (card %s)', async (number, reason, code) => {
    const before = await checkedBalance();
    const { payment_intent, dispute } = await disputed(25_00, number);
    await sandbox.sandbox.idle();

    expect(dispute).toMatchObject({
      object: 'dispute',
      amount: 25_00,
      status: 'needs_response',
      reason,
      network_reason_code: code,
      is_charge_refundable: false,
      payment_method_details: { type: 'card', card: { case_type: 'chargeback', brand: 'visa' } },
      evidence: { customer_email_address: 'Bo@Example.com', uncategorized_text: null },
      evidence_details: { has_evidence: false, past_due: false, submission_count: 0 },
      balance_transactions: [
        {
          object: 'balance_transaction',
          type: 'adjustment',
          reporting_category: 'dispute',
          amount: -25_00,
          fee: 15_00,
          net: -40_00,
          status: 'available',
          source: dispute.id,
          fee_details: [{ amount: 15_00, description: 'Dispute fee' }],
        },
      ],
    });
    expect((await checkedBalance()) - before).toBe(25_00 - 1_03 - 40_00);
    expect((await sandbox.stripe.charges.retrieve(String(dispute.charge))).disputed).toBe(true);
    expect(disputeEvents().sort()).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
    await expect(sandbox.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      statusCode: 400,
      code: 'charge_disputed',
    });
  });

  it('reinstates the amount without the fee when won, and can then be refunded', async () => {
    const { payment_intent, dispute } = await disputed(25_00, FRAUD);
    await sandbox.sandbox.idle();
    sandbox.received.length = 0;
    const before = await checkedBalance();

    const won = await sandbox.stripe.disputes.update(dispute.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      metadata: { order_id: 'o1' },
    });

    expect(won).toMatchObject({
      status: 'won',
      is_charge_refundable: true,
      metadata: { order_id: 'o1' },
      evidence_details: { has_evidence: true, submission_count: 1, submission_method: 'manual' },
      balance_transactions: [
        { net: -40_00 },
        { amount: 25_00, fee: 0, fee_details: [], reporting_category: 'dispute_reversal' },
      ],
    });
    expect((await checkedBalance()) - before).toBe(25_00);
    await sandbox.sandbox.idle();
    expect(disputeEvents().sort()).toEqual([
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
      'charge.dispute.updated',
    ]);
    expect(await sandbox.stripe.charges.retrieve(String(dispute.charge))).toMatchObject({ disputed: true });
    expect(await sandbox.stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 25_00 });
  });

  it('can be lost through evidence or by closing it, which is final', async () => {
    const byEvidence = await disputed(25_00, FRAUD);
    const byClosing = await disputed(25_00, FRAUD);
    const before = await checkedBalance();

    await sandbox.stripe.disputes.update(byEvidence.dispute.id, {
      evidence: { uncategorized_text: 'losing_evidence' },
    });
    expect((await sandbox.stripe.disputes.close(byClosing.dispute.id)).status).toBe('lost');

    expect((await sandbox.stripe.disputes.retrieve(byEvidence.dispute.id)).status).toBe('lost');
    expect(await checkedBalance()).toBe(before);
    await expect(sandbox.stripe.disputes.close(byClosing.dispute.id)).rejects.toMatchObject({ statusCode: 400 });
    await expect(
      sandbox.stripe.disputes.update(byClosing.dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } }),
    ).rejects.toMatchObject({ statusCode: 400 });
    const { payment_intent } = byClosing;
    await expect(sandbox.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_disputed' });
  });

  it('goes under review when staged evidence is submitted', async () => {
    const { dispute } = await disputed(25_00, NOT_RECEIVED);

    const staged = await sandbox.stripe.disputes.update(dispute.id, {
      evidence: { product_description: 'A concert', uncategorized_text: 'Scanned at the door' },
      submit: false,
    });
    expect(staged).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true } });
    const submitted = await sandbox.stripe.disputes.update(dispute.id, { submit: true });

    expect(submitted).toMatchObject({
      status: 'under_review',
      evidence: { product_description: 'A concert' },
      evidence_details: { submission_count: 1 },
    });
    await expect(sandbox.stripe.disputes.update(dispute.id, { submit: true })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  it('withdraws only the amount left after a refund', async () => {
    const payment_intent = await createPayment(25_00);
    await sandbox.stripe.refunds.create({ payment_intent, amount: 10_00 });

    const dispute = await sandbox.control('disputes', { payment_intent });

    expect(dispute).toMatchObject({ amount: 15_00, balance_transactions: [{ amount: -15_00 }] });
    await expect(sandbox.control('disputes', { payment_intent })).rejects.toThrow('has already been disputed');
  });
});

describe('a dispute and a refund at the same time', () => {
  /** Both block on the charge's lock in the given order. */
  async function atOnce(payment_intent: string, first: () => Promise<unknown>, second: () => Promise<unknown>) {
    const { latest_charge } = await sandbox.stripe.paymentIntents.retrieve(payment_intent);
    const blocker = await sandbox.pool.connect();
    await blocker.query('begin');
    await blocker.query('select from sandbox.objects where id = $1 for update', [String(latest_charge)]);
    const one = first();
    await sandbox.untilBlocked(1);
    const two = second();
    await sandbox.untilBlocked(2);
    await blocker.query('commit');
    blocker.release();
    return await Promise.allSettled([one, two]);
  }

  it('rejects the dispute when the refund comes first', async () => {
    const payment_intent = await createPayment(25_00);
    const before = await checkedBalance();

    const [refund, dispute] = await atOnce(
      payment_intent,
      () => sandbox.stripe.refunds.create({ payment_intent }),
      () => sandbox.control('disputes', { payment_intent }),
    );

    expect([refund?.status, dispute?.status]).toEqual(['fulfilled', 'rejected']);
    expect((await checkedBalance()) - before).toBe(-25_00);
  });

  it('rejects the refund when the dispute comes first', async () => {
    const payment_intent = await createPayment(25_00);
    const before = await checkedBalance();

    const [dispute, refund] = await atOnce(
      payment_intent,
      () => sandbox.control('disputes', { payment_intent }),
      () => sandbox.stripe.refunds.create({ payment_intent }),
    );

    expect(dispute?.status).toBe('fulfilled');
    expect(refund).toMatchObject({ status: 'rejected', reason: { code: 'charge_disputed' } });
    expect((await checkedBalance()) - before).toBe(-40_00);
  });
});

describe('an inquiry', () => {
  it('moves no funds, allows refunds and closes without a winner', async () => {
    const before = await checkedBalance();
    const { payment_intent, dispute } = await disputed(25_00, INQUIRY);
    expect(dispute).toMatchObject({
      status: 'warning_needs_response',
      is_charge_refundable: true,
      balance_transactions: [],
      payment_method_details: { card: { case_type: 'inquiry' } },
    });
    expect((await checkedBalance()) - before).toBe(25_00 - 1_03);

    await sandbox.stripe.refunds.create({ payment_intent, amount: 5_00 });
    const closed = await sandbox.stripe.disputes.update(dispute.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
    });

    expect(closed).toMatchObject({ status: 'warning_closed', balance_transactions: [] });
    await sandbox.sandbox.idle();
    expect(disputeEvents()).not.toContain('charge.dispute.funds_withdrawn');
    expect(await sandbox.stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 20_00 });
  });

  it('can escalate to a chargeback', async () => {
    const { payment_intent, dispute } = await disputed(25_00, INQUIRY);

    const escalated = await sandbox.control(`disputes/${dispute.id}`, { become: 'chargeback' });

    expect(escalated).toMatchObject({ status: 'needs_response', is_charge_refundable: false });
    await expect(sandbox.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_disputed' });
    await sandbox.sandbox.idle();
    expect(disputeEvents().sort()).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
    ]);
  });
});

describe('dispute prevention', () => {
  it('settles a prevented dispute with a refund', async () => {
    const payment_intent = await createPayment(25_00);
    const before = await checkedBalance();

    const prevented = await sandbox.control('disputes', { payment_intent, kind: 'prevented' });

    expect(prevented).toMatchObject({ status: 'prevented', amount: 25_00, balance_transactions: [] });
    expect((await checkedBalance()) - before).toBe(-25_00);
    await expect(sandbox.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
  });

  it('resolves an early fraud warning with a full refund', async () => {
    const payment_intent = await createPayment(25_00, FRAUD_WARNING);
    const list = () => sandbox.stripe.radar.earlyFraudWarnings.list({ payment_intent });
    const [warning] = (await list()).data;
    expect(warning).toMatchObject({ object: 'radar.early_fraud_warning', actionable: true, payment_intent });

    await sandbox.stripe.refunds.create({ payment_intent });

    expect((await list()).data).toMatchObject([{ actionable: false }]);
    await sandbox.sandbox.idle();
    expect(
      sandbox
        .eventTypes()
        .filter((type) => type.startsWith('radar'))
        .sort(),
    ).toEqual(['radar.early_fraud_warning.created', 'radar.early_fraud_warning.updated']);
    expect((await sandbox.stripe.radar.earlyFraudWarnings.retrieve(String(warning?.id))).id).toBe(warning?.id);
  });
});

/** Fields that API version 2026-10-28.endive always sends, including nullable ones. */
it.each([
  [
    'dispute',
    'id object amount balance_transactions charge created currency enhanced_eligibility_types evidence evidence_details is_charge_refundable livemode metadata reason status intended_submission_method payment_intent',
  ],
  ['radar.early_fraud_warning', 'id object actionable charge created fraud_type livemode payment_intent'],
])('%s has every field', async (name, fields) => {
  const { dispute } = await disputed(25_00, FRAUD);
  const payment_intent = await createPayment(25_00, FRAUD_WARNING);
  const [warning] = (await sandbox.stripe.radar.earlyFraudWarnings.list({ payment_intent })).data;
  const object = name === 'dispute' ? dispute : (warning ?? {});

  expect(fields.split(' ').filter((field) => !Object.hasOwn(object, field))).toEqual([]);
});

it('lists disputes by charge with expanded objects', async () => {
  const { dispute } = await disputed(25_00, FRAUD);

  const { data } = await sandbox.stripe.disputes.list({
    charge: String(dispute.charge),
    expand: ['data.charge', 'data.payment_intent'],
  });

  expect(data).toMatchObject([{ id: dispute.id, charge: { amount: 25_00 }, payment_intent: { status: 'succeeded' } }]);
  await expect(sandbox.stripe.disputes.retrieve('du_x')).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(
    sandbox.stripe.rawRequest('POST', `/v1/disputes/${dispute.id}`, { evidence: { bogus: 'x' } }),
  ).rejects.toMatchObject({ code: 'parameter_unknown' });
});

// Must run last: refunds would wait for funds from here on.
it('a dispute can make the balance negative', async () => {
  const { id } = await sandbox.onboardedAccount();
  const { payment_intent } = await disputed(50_00, INQUIRY);
  await sandbox.control('clock', { advance_seconds: 3 * 24 * 3600 });
  const amount = (await sandbox.stripe.balance.retrieve()).available[0]?.amount ?? 0;
  if (amount > 0) await sandbox.stripe.transfers.create({ amount, currency: 'usd', destination: id });

  const [inquiry] = (await sandbox.stripe.disputes.list({ payment_intent })).data;
  await sandbox.stripe.disputes.update(String(inquiry?.id), {
    evidence: { uncategorized_text: 'escalate_inquiry_evidence' },
  });

  expect((await sandbox.stripe.balance.retrieve()).available[0]?.amount).toBeLessThan(0);
});
