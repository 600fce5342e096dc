import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { writeOffReceivable } from '#contract/app/action-items.ts';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import {
  balancesOf,
  decideDispute,
  disputePayment,
  fillBalance,
  moneyErrorsExceptWebhooks,
} from '#tests/support/disputes.ts';
import {
  clearFaults,
  ledgerOf,
  movementsAtStripe,
  openPayout,
  planFault,
  simulateAtBank,
  stripeOf,
} from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventForm, eventOnSale, logInAgain, newOrganizer } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

import { sendReversal, sendWaitingReversals } from './send-reversal.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

type Event = Awaited<ReturnType<typeof soldEvent>>;

/** Two orders, of two seats and of one, at the time the payout opens. */
async function soldEvent() {
  const event = await eventOnSale(app, { tickets });
  await buyTickets(app, event.eventId, seats(2));
  await buyTickets(app, event.eventId, seats(1));
  await app.settle();
  await openPayout(app, event);
  return event;
}

async function paidOutEvent() {
  const event = await soldEvent();
  // 3 x $40 minus 3 x $1.55 and $15.
  expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 100.35 } });
  await app.settle();
  return event;
}

const request = ({ visitor, eventId }: Event) => visitor.call(requestPayout, { eventId });
const payoutsOf = ({ eventId }: Event) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();
const reversalRows = ({ eventId }: Event) =>
  app.db.selectFrom('transferReversals').where('eventId', '=', eventId).selectAll().execute();

async function reversalsOf(event: Event): Promise<number[]> {
  const reversals: number[] = [];
  for (const { id } of await movementsAtStripe(app, 'transfer', event.eventId)) {
    const { data } = await stripeOf(app).transfers.listReversals(id);
    reversals.push(...data.map(({ amount }) => amount));
  }
  return reversals;
}

/** Pays the whole balance of the account out to the organizer's bank. */
async function emptyAccountOf({ email }: Event): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from sandbox.objects
     where kind = 'v2.core.account' and body->>'contact_email' = ${email}`.execute(app.db);
  const stripeAccount = rows[0]?.id ?? '';
  const { available } = await stripeOf(app).balance.retrieve({}, { stripeAccount });
  const amount = available[0]?.amount ?? 0;
  if (amount > 0) await stripeOf(app).payouts.create({ amount, currency: 'usd' }, { stripeAccount });
}

async function shownPayout({ visitor, eventId, email }: Event) {
  await logInAgain({ visitor, email });
  const { body } = await visitor.call(profile, {});
  return body.events.find((event) => event.eventId === eventId)?.payout;
}

/** A dispute reverses the order of two seats; the bank decides for the organizer, and the buyer is refunded at Stripe before we read of either. */
async function wonAndRefunded(event: Event, amount?: number) {
  const { rows } = await sql<{ paymentId: string }>`
    select payment_id from orders where event_id = ${event.eventId} and total_cents = ${DISPUTED}`.execute(app.db);
  const payment = rows[0]?.paymentId ?? '';
  const { id } = await simulateAtBank(app, 'disputes', { payment_intent: payment });
  await app.settle();
  await app.endJobs();
  await simulateAtBank(app, `disputes/${id}`, { become: 'won' });
  await stripeOf(app).refunds.create({ payment_intent: payment, ...(amount !== undefined && { amount }) });
  await app.restartJobs();
  await app.settle();
  await app.advance({ hours: 2 });
  await sendWaitingReversals(app.deps);
  await sendWaitingPayouts(app.deps);
  return payment;
}

const DISPUTED = 80_00;
const TICKET_FEES = 3_10;

describe('What a won dispute reversed', () => {
  it('pays a refund of the whole order that its buyer got at Stripe meanwhile', async () => {
    const event = await paidOutEvent();
    await wonAndRefunded(event);

    expect(await payoutsOf(event)).toHaveLength(1);
    const texts = (await emailsTo(app, event.email)).map(({ text }) => text);
    expect(texts.filter((text) => text?.includes('nothing is left to send you'))).toHaveLength(1);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
  });

  it.each([10_00, 40_00, 79_00])(
    'is returned without a refund of %i cents of it, and its fees stay',
    async (refunded) => {
      const event = await paidOutEvent();
      await wonAndRefunded(event, refunded);

      const [, additional] = await payoutsOf(event);
      expect(additional?.cents).toBe(Math.max(0, DISPUTED - refunded - TICKET_FEES));
      expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
      expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    },
  );

  it('is left with no one once the rest is refunded as well', async () => {
    const event = await paidOutEvent();
    const before = await balancesOf(app, event.eventId);
    const payment = await wonAndRefunded(event, 40_00);
    await stripeOf(app).refunds.create({ payment_intent: payment });
    await app.settle();
    await sendWaitingReversals(app.deps);

    const after = await balancesOf(app, event.eventId);
    expect((after['platform-fees'] ?? 0) - (before['platform-fees'] ?? 0)).toBe(TICKET_FEES);
    expect(after).not.toHaveProperty('organizer-payable');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('a dispute after the payout', () => {
  it('reverses the organizer’s share of the transfer once and returns the ticket fees', async () => {
    const event = await paidOutEvent();
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    await sendWaitingReversals(app.deps);

    // 2 x $40 minus the fees of these two tickets.
    expect(await reversalRows(event)).toMatchObject([{ state: 'reversed', grossCents: 80_00, feesCents: 3_10 }]);
    expect(await reversalsOf(event)).toEqual([76_90]);
    expect(await ledgerOf(app, event.eventId, 'transfer-reversal')).toEqual([
      'transfer-reversal organizer-payable -8000',
      'transfer-reversal platform-fees 310',
      'transfer-reversal processor 7690',
    ]);
    expect((await emailsTo(app, event.email))[0]?.text).toContain('we reversed $76.90 of your payout');

    await decideDispute(app, disputeId, 'lost');
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect(await payoutsOf(event)).toHaveLength(1);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('pays the share again once won, without a second processing fee', async () => {
    const event = await paidOutEvent();
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    await decideDispute(app, disputeId, 'won');
    await sendWaitingPayouts(app.deps);

    const [, additional] = await payoutsOf(event);
    expect(additional).toMatchObject({ seq: 2, state: 'paid', cents: 76_90 });
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(2);
    expect((await shownPayout(event))?.further).toMatchObject([
      { state: 'paid', statement: { gross: 80, ticketFees: 3.1, processingFee: 0, net: 76.9 } },
    ]);
    const subjects = (await emailsTo(app, event.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Basement Brass: $76.90 paid out');
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
    // Four tokens: three initially, and one for the event rather than one per payout.
    await logInAgain(event);
    expect((await event.visitor.call(profile, {})).body.tokenCount).toBe(4);
  });

  it('becomes a debt if the account is empty, and the next payout settles it', async () => {
    const event = await paidOutEvent();
    await emptyAccountOf(event);
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });

    expect(await reversalRows(event)).toMatchObject([{ state: 'receivable', failureReason: expect.any(String) }]);
    expect(await reversalsOf(event)).toEqual([]);
    expect(await balancesOf(app, event.eventId)).toMatchObject({ receivables: 76_90 });
    await decideDispute(app, disputeId, 'lost');

    await logInAgain(event);
    const { body } = await event.visitor.call(createEvent, eventForm(app, { tickets }));
    await buyTickets(app, body.eventId, seats(3));
    await app.settle();
    const next = { ...event, ...body };
    await openPayout(app, next);
    expect((await shownPayout(next))?.statement).toMatchObject({ gross: 120, debtDeducted: 76.9, net: 23.45 });
    expect(await request(next)).toMatchObject({ status: 200, body: { totalPayout: 23.45 } });

    expect(await ledgerOf(app, next.eventId, 'payout')).toContain('payout receivables -7690');
    const receivables = await app.db
      .selectFrom('ledgerEntries')
      .where('account', '=', 'receivables')
      .where('eventId', 'in', [event.eventId, next.eventId])
      .select((column) => column.fn.sum<number>('cents').as('cents'))
      .executeTakeFirst();
    expect(Number(receivables?.cents)).toBe(0);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('completes the next payout at once if its debt uses all of it', async () => {
    const event = await paidOutEvent();
    await emptyAccountOf(event);
    await disputePayment(app, event.eventId, { which: 0 });
    await logInAgain(event);
    const { body } = await event.visitor.call(createEvent, eventForm(app, { tickets }));
    await buyTickets(app, body.eventId, seats(1));
    await app.settle();
    const next = { ...event, ...body };
    await openPayout(app, next);

    expect(await request(next)).toMatchObject({ status: 200, body: { totalPayout: 0 } });

    expect(await payoutsOf(next)).toMatchObject([{ state: 'paid', cents: 0, transferId: null }]);
    expect(await movementsAtStripe(app, 'transfer', next.eventId)).toEqual([]);
    expect((await emailsTo(app, event.email))[0]?.subject).toBe('Basement Brass: your payout covered what you owed');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('that became a debt settles the debt once won', async () => {
    const event = await paidOutEvent();
    await emptyAccountOf(event);
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    await decideDispute(app, disputeId, 'won');

    expect((await payoutsOf(event))[1]).toMatchObject({ seq: 2, state: 'paid', cents: 0 });
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('receivables');
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('that became a debt cannot be written off while it is open', async () => {
    const event = await paidOutEvent();
    await emptyAccountOf(event);
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    const subject = (await reversalRows(event))[0]?.id ?? '';
    const operator = await newOrganizer(app);
    await appointAdmin(app.deps, { email: operator.email, isAdmin: true });

    const early = await operator.visitor.call(writeOffReceivable, { subject, note: 'They have closed down.' });
    await decideDispute(app, disputeId, 'won');

    expect(early).toMatchObject({ status: 409, body: { code: 'action-item.dispute-open' } });
    expect((await payoutsOf(event))[1]).toMatchObject({ seq: 2, state: 'paid', cents: 0 });
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('receivables');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('waits for the transfer of a claimed payout', async () => {
    const event = await soldEvent();
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
    await request(event);
    const disputeId = await disputePayment(app, event.eventId, { which: 1 });
    expect(await reversalRows(event)).toMatchObject([{ state: 'claimed' }]);
    await decideDispute(app, disputeId, 'lost');
    await clearFaults(app);

    await sendWaitingReversals(app.deps);
    expect(await reversalRows(event)).toMatchObject([{ state: 'claimed' }]);
    await sendWaitingPayouts(app.deps);
    await app.settle();

    expect(await payoutsOf(event)).toMatchObject([{ state: 'paid', cents: 100_35 }]);
    expect(await reversalsOf(event)).toEqual([38_45]);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('a dispute won before the transfer of the payout', () => {
  it('reverses nothing: the payout is sent in full without an additional one', async () => {
    const event = await soldEvent();
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
    await request(event);
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    const claimed = await reversalRows(event);
    await decideDispute(app, disputeId, 'won');
    await clearFaults(app);
    await sendWaitingPayouts(app.deps);
    await sendWaitingReversals(app.deps);
    await app.settle();

    expect(claimed).toMatchObject([{ state: 'claimed', grossCents: 80_00 }]);
    expect(await reversalRows(event)).toEqual([]);
    expect(await payoutsOf(event)).toMatchObject([{ seq: 1, state: 'paid', cents: 100_35 }]);
    expect(await reversalsOf(event)).toEqual([]);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('reversing a transfer once', () => {
  it('holds for two concurrent retries after a lost response and an expired idempotency key', async () => {
    const event = await paidOutEvent();
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers/*' }, mode: 'drop_after', times: 30 });
    await disputePayment(app, event.eventId, { which: 0 });
    const [reversal] = await reversalRows(event);
    expect(reversal).toMatchObject({ state: 'claimed' });
    await clearFaults(app);
    await app.advance({ hours: 25 });

    const ref = { eventId: event.eventId, reversalId: reversal?.id ?? '' };
    await Promise.all([sendReversal(app.deps, ref), sendReversal(app.deps, ref)]);

    expect(await reversalRows(event)).toMatchObject([{ state: 'reversed' }]);
    expect(await reversalsOf(event)).toEqual([76_90]);
    expect(await ledgerOf(app, event.eventId, 'transfer-reversal')).toHaveLength(3);
  });

  it('holds if Stripe made the reversal but answered with an error', async () => {
    const event = await paidOutEvent();
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers/*' }, mode: 'error_after', times: 1 });
    await disputePayment(app, event.eventId, { which: 0 });
    await clearFaults(app);
    await sendWaitingReversals(app.deps);

    expect(await reversalRows(event)).toMatchObject([{ state: 'reversed' }]);
    expect(await reversalsOf(event)).toEqual([76_90]);
  });

  it('leads to one additional payout when the dispute is won twice at the same time', async () => {
    const event = await paidOutEvent();
    await disputePayment(app, event.eventId, { which: 0 });
    const { orderId, stripeDisputeId } = await app.db
      .selectFrom('disputes')
      .where('eventId', '=', event.eventId)
      .select(['orderId', 'stripeDisputeId'])
      .executeTakeFirstOrThrow();
    const won = { stripeDisputeId, cents: 80_00, feeCents: 15_00, state: 'won' as const, reason: 'fraudulent' };
    const win = () => applyDisputes(app.deps, { eventId: event.eventId, orderId }, { disputes: [won] });

    await raceFor(app, 'events', event.eventId, [win, win]);
    await app.settle();

    expect((await payoutsOf(event)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(2);
  });
});
