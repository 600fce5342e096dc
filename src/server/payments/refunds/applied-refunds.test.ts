import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { guestPage } from '#contract/app/guests.ts';
import * as contract from '#contract/app/refunds.ts';
import { cancellationMessages } from '#messages/records/cancellations.ts';
import type { refundErrors } from '#messages/refunds.ts';
import { renderEmail } from '#server/emails/send-email.ts';
import { newId } from '#server/platform/ids.ts';
import { plantLedger } from '#tests/support/action-items.ts';
import { errorBody } from '#tests/support/error-body.ts';
import {
  clearFaults,
  ledgerOf,
  movementsAtStripe,
  paymentOf,
  planFault,
  reservedOf,
  simulateAtBank,
  stripeOf,
} from '#tests/support/money.ts';
import {
  buyTickets,
  cardWith,
  codesOf,
  emailsTo,
  eventOnSale,
  goodCard,
  logInAgain,
  pay,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { applyRefunds } from './apply-refunds.ts';
import { claimRefundAgain } from './claim-refund-again.ts';
import { refundsToSend } from './refunds.sql.ts';
import { sendRefund } from './send-refund.ts';
import { sendWaitingRefunds } from './send-waiting-refunds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // Adds to the Stripe balance: Stripe keeps its fee, so refunds need other funds.
  await soldTickets(5);
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

const FAILS_LATER = cardWith('4000 0000 0000 5126');
let buyers = 0;

async function soldTickets(quantity = 1, card = goodCard) {
  const event = await eventOnSale(app);
  const { eventId } = event;
  const buyerEmail = `applied-${++buyers}@example.com`;
  const order = await buyTickets(app, eventId, [{ ticketName: 'General admission', quantity }], buyerEmail, card);
  await app.settle();
  const codes = codesOf(order);
  return { ...event, buyerEmail, codes, code: codes[0] ?? '' };
}

const request = (eventId: string, confirmationCode: string) =>
  app.call(contract.requestRefund, { eventId, confirmationCode });
const denied = (code: keyof typeof refundErrors) => ({
  status: 409,
  body: errorBody(code),
});
const dropWebhooks = () => planFault(app, { webhook: 'drop', times: 1000 });

const refundsOf = (eventId: string) =>
  app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().orderBy('createdAt').orderBy('id').execute();

async function statesOf(eventId: string) {
  const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  return tickets.map(({ state }) => state).sort();
}

/** Syncs the order's refunds with Stripe. */
async function syncRefunds(eventId: string): Promise<void> {
  const paymentId = await paymentOf(app, eventId);
  const reading = await app.deps.paymentProcessor.readPayment(paymentId);
  if (!reading?.order) throw new Error('the payment has no order');
  await applyRefunds(app.deps, reading.order, reading);
}

async function balanceOf(eventId: string, account: 'processor' | 'organizer-payable' | 'owed-to-buyers') {
  const entries = (await ledgerOf(app, eventId)).filter((entry) => entry.split(' ')[1] === account);
  return entries.reduce((sum, entry) => sum + Number(entry.split(' ')[2]), 0);
}

describe('a refund that fails after it succeeded', () => {
  it('is owed to the buyer and emailed once, however often it is synced', async () => {
    const { eventId, code, buyerEmail } = await soldTickets(1, FAILS_LATER);
    await request(eventId, code);
    await app.settle();
    await app.advance({ hours: 2 });
    for (let times = 1; times <= 3; times++) await syncRefunds(eventId);

    expect(await refundsOf(eventId)).toMatchObject([{ state: 'failed', failedAt: expect.any(Date) }]);
    expect(await statesOf(eventId)).toEqual(['refunded']);
    expect(await ledgerOf(app, eventId, 'refund-failed')).toEqual([
      'refund-failed owed-to-buyers -2400',
      'refund-failed processor 2400',
    ]);
    expect(await balanceOf(eventId, 'owed-to-buyers')).toBe(-24_00);
    const subjects = (await emailsTo(app, buyerEmail)).map((email) => email.subject);
    expect(subjects).toEqual([
      'Your bank returned your $24.00 refund for Basement Brass',
      'Your $24.00 refund for Basement Brass',
      'Basement Brass: your ticket',
    ]);
  });
});

describe('a refund that was booked as accepted and moved at once', () => {
  it.each(['requested', 'unfulfillable-order'] as const)('is owed again when it fails (%s)', async (reason) => {
    const { eventId } = await soldTickets();
    const ticket = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .select(['id', 'orderId'])
      .executeTakeFirstOrThrow();
    const order = { eventId, orderId: ticket.orderId };
    const [id, at, cents] = [newId(), app.now(), 24_00];
    const stripeRefundId = `re_${id}`;
    const refund = { id, stripeRefundId, state: 'sent', reason, cents } as const;
    const timestamps = { createdAt: at, sendAfter: at, sendingAt: at, sentAt: at, movedAt: at };
    const ticketId = reason === 'requested' ? ticket.id : null;
    await app.db
      .insertInto('refunds')
      .values({ ...order, ...refund, ...timestamps, ticketId })
      .execute();
    const [kind, owed] =
      reason === 'requested' ? ['refund', 'organizer-payable'] : ['unfulfillable-refund', 'owed-to-buyers'];
    const entries = { [owed ?? '']: cents, processor: -cents };
    await plantLedger(app.db, { eventId, subjectId: id, kind: kind ?? '', at, entries });

    // It waited for funds until it failed, so Stripe reports no movement.
    const unmoved = { stripeRefundId, refundId: id, ticketId: null, cents, hasMoved: false };
    const failed = { ...unmoved, state: 'failed', failure: 'x' } as const;
    for (let times = 1; times <= 2; times++)
      await applyRefunds(app.deps, order, { chargedCents: cents, refunds: [failed] });

    expect(await refundsOf(eventId)).toMatchObject([{ state: 'failed' }]);
    expect(await ledgerOf(app, eventId, 'refund-failed')).toEqual([
      'refund-failed owed-to-buyers -2400',
      'refund-failed processor 2400',
    ]);
  });
});

describe('a refund of an order without tickets', () => {
  it('is claimed as a new refund on retry, despite late events of the failed one', async () => {
    const { eventId, refundId } = await failedRefundOfWholeOrder();
    await syncRefunds(eventId);
    expect(await refundsOf(eventId)).toMatchObject([
      { id: refundId, state: 'refused', failureReason: expect.stringContaining('failed') },
    ]);

    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_before', times: 100 });
    await Promise.all([1, 2].map(() => claimRefundAgain(app.deps, { eventId, refundId })));
    await syncRefunds(eventId);
    const claimed = (await refundsOf(eventId)).filter(({ state }) => state === 'claimed');
    expect(claimed).toMatchObject([{ reason: 'unfulfillable-order', cents: 24_00 }]);

    await clearFaults(app);
    await dropWebhooks();
    await sendRefund(app.deps, { eventId, refundId: claimed[0]?.id ?? '' });
    await syncRefunds(eventId);

    expect((await refundsOf(eventId)).at(-1)).toMatchObject({ state: 'sent', settledAt: expect.any(Date) });
    const made = await movementsAtStripe(app, 'refund', eventId);
    expect(made.map(({ amount, status }) => `${status} ${amount}`).sort()).toEqual(['failed 2400', 'succeeded 2400']);
    expect(await ledgerOf(app, eventId, 'refund-moved')).toHaveLength(2);
  });

  /** The response to our call was lost, and the buyer's bank returned the money. */
  async function failedRefundOfWholeOrder() {
    await dropWebhooks();
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'General admission', quantity: 1 }],
    });
    // The amount differs from the order, so no tickets are issued.
    const order = app.db.updateTable('orders').set({ totalCents: 1_00 }).where('eventId', '=', eventId);
    const { id: orderId } = await order.returning('id').executeTakeFirstOrThrow();
    await pay(buyer, session.body.url, `whole-${++buyers}@example.com`);
    await buyer.call(checkoutSession, { sessionId: session.body.id });
    const [refundId, at] = [newId(), app.now()];
    const claim = { eventId, id: refundId, orderId, ticketId: null, cents: 24_00, createdAt: at, sendAfter: at };
    await app.db
      .insertInto('refunds')
      .values({ ...claim, reason: 'unfulfillable-order' })
      .execute();
    const metadata = { refund_id: refundId, order_id: orderId, event_id: eventId };
    const made = await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId), metadata });
    await simulateAtBank(app, `refunds/${made.id}`, { become: 'failed' });
    return { eventId, refundId };
  }
});

describe('refunds that cannot be sent', () => {
  it('are sent least recently tried first', async () => {
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_before', times: 100 });
    const { eventId, codes } = await soldTickets(3);
    for (const code of codes.slice(1)) await request(eventId, code);
    const [first, second] = (await refundsOf(eventId)).map(({ id }) => id);
    const left = app.db.selectFrom('tickets').where('confirmationNumber', '=', codes[0] ?? '');
    const ticket = await left.select(['id as ticketId', 'orderId']).executeTakeFirstOrThrow();
    const [third, at] = [newId(), app.now()];
    await app.db
      .insertInto('refunds')
      .values({ eventId, id: third, ...ticket, cents: 24_00, reason: 'requested', createdAt: at, sendAfter: at })
      .execute();
    await app.advance({ minutes: 2 });
    await expect(sendRefund(app.deps, { eventId, refundId: first ?? '' })).rejects.toThrow();

    const next = (await refundsToSend(app.db, 500)).filter((ref) => ref.eventId === eventId);
    expect(next.map(({ refundId }) => refundId)).toEqual([third, second, first]);
  });
});

describe('a lost response from Stripe', () => {
  it('is recovered by a sync', async () => {
    const { eventId, code, buyerEmail } = await soldTickets();
    await dropWebhooks();
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_after', times: 2 });
    await request(eventId, code);
    expect(await refundsOf(eventId)).toMatchObject([{ state: 'claimed' }]);

    await Promise.all([syncRefunds(eventId), syncRefunds(eventId)]);

    expect(await refundsOf(eventId)).toMatchObject([{ state: 'sent', settledAt: expect.any(Date) }]);
    expect(await reservedOf(app, eventId)).toBe(0);
    expect(await ledgerOf(app, eventId, 'refund-moved')).toHaveLength(2);
    expect(await emailsTo(app, buyerEmail)).toHaveLength(2);
  });

  it('is looked up before the call is repeated', async () => {
    const { eventId, code } = await soldTickets();
    await dropWebhooks();
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'error_after', times: 1 });
    await request(eventId, code);
    expect(await refundsOf(eventId)).toMatchObject([{ state: 'claimed' }]);

    await app.advance({ minutes: 2 });
    await sendWaitingRefunds(app.deps);

    expect(await refundsOf(eventId)).toMatchObject([{ state: 'sent' }]);
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  });
});

describe('a Stripe dashboard refund', () => {
  it('voids the ticket when its buyer requests a refund before the webhook arrives', async () => {
    const { eventId, code } = await soldTickets(2);
    await dropWebhooks();
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId) });

    expect(await request(eventId, code)).toMatchObject(denied('refund.void'));

    expect(await statesOf(eventId)).toEqual(['void', 'void']);
    expect(await reservedOf(app, eventId)).toBe(0);
    expect((await refundsOf(eventId)).map(({ reason, state }) => `${reason} ${state}`).sort()).toEqual([
      'external sent',
      'requested refused',
    ]);
    expect(await balanceOf(eventId, 'organizer-payable')).toBe(0);
  });

  it('of part of an order denies refunds that exceed the rest', async () => {
    const { eventId, code } = await soldTickets(1);
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId), amount: 10_00 });
    await syncRefunds(eventId);

    expect(await request(eventId, code)).toMatchObject(denied('refund.partly-refunded'));
    expect(await statesOf(eventId)).toEqual(['valid']);
  });

  it('that replaces a failed refund takes nothing from the organizer', async () => {
    const { eventId, code } = await soldTickets(2, FAILS_LATER);
    await request(eventId, code);
    await app.advance({ hours: 2 });
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId), amount: 24_00 });
    await app.settle();
    await syncRefunds(eventId);

    expect((await refundsOf(eventId)).map(({ reason, state }) => `${reason} ${state}`)).toEqual([
      'requested failed',
      'external sent',
    ]);
    expect(await statesOf(eventId)).toEqual(['refunded', 'valid']);
    expect(await balanceOf(eventId, 'owed-to-buyers')).toBe(0);
    expect(await balanceOf(eventId, 'organizer-payable')).toBe(-24_00);
  });

  it('that fails is owed to the buyer', async () => {
    const { eventId } = await soldTickets(1);
    const refund = await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId) });
    await syncRefunds(eventId);
    await simulateAtBank(app, `refunds/${refund.id}`, { become: 'failed' });
    await syncRefunds(eventId);
    await syncRefunds(eventId);

    expect(await refundsOf(eventId)).toMatchObject([{ reason: 'external', state: 'failed' }]);
    expect(await statesOf(eventId)).toEqual(['void']);
    expect(await balanceOf(eventId, 'owed-to-buyers')).toBe(-24_00);
    expect(await balanceOf(eventId, 'organizer-payable')).toBe(0);
  });
});

describe('a refused refund of a cancelled event', () => {
  const progressOf = async (event: Awaited<ReturnType<typeof soldTickets>>) => {
    const { visitor, eventId } = event;
    await logInAgain(event);
    const { body } = await visitor.call(profile, {});
    return body.events.find((event) => event.eventId === eventId)?.cancellation;
  };

  it('is listed for the operator and retried with the remaining amount', async () => {
    const event = await soldTickets(2);
    const { eventId, visitor } = event;
    await dropWebhooks();
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId), amount: 10_00 });
    await visitor.call(cancelEvent, { eventId });
    await app.settle();
    expect(await progressOf(event)).toEqual({ refunds: 2, refunded: 1, failed: 1 });

    await app.advance({ minutes: 61 });
    await sendWaitingRefunds(app.deps);
    await app.settle();

    expect(await progressOf(event)).toEqual({ refunds: 2, refunded: 2, failed: 0 });
    expect(await statesOf(eventId)).toEqual(['refunded', 'refunded']);
    const refunds = await refundsOf(eventId);
    expect(
      refunds
        .filter(({ state }) => state === 'sent')
        .map(({ cents }) => cents)
        .sort(),
    ).toEqual([10_00, 14_00, 24_00]);
    expect(await balanceOf(eventId, 'organizer-payable')).toBe(0);

    // The email may render only now. It counts each ticket once.
    const { buyerEmail } = event;
    const queued = { kind: 'event-cancelled', subjectId: '', toAddress: buyerEmail, params: { eventId, buyerEmail } };
    expect((await renderEmail(app.deps, queued))?.text).toContain(
      "We're refunding $48.00 to your card for your 2 tickets",
    );
  });

  it('is not retried during a dispute, and only a limited number of times', async () => {
    const event = await soldTickets(1);
    const { eventId, visitor } = event;
    await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, eventId) });
    await app.settle();
    await visitor.call(cancelEvent, { eventId });
    await app.settle();

    for (let hours = 1; hours <= 5; hours++) {
      await app.advance({ hours });
      await sendWaitingRefunds(app.deps);
    }

    expect(await refundsOf(eventId)).toMatchObject([{ state: 'refused' }]);
    expect((await progressOf(event))?.failed ?? 0).toBe(1);
  });

  it('appears in the organizer’s progress message', () => {
    expect(cancellationMessages({ refunds: 500, refunded: 412, failed: 1 })).toBe(
      "Cancelled. 412 of 500 refunds done, 1 failed. We're on it.",
    );
    expect(cancellationMessages({ refunds: 1200, refunded: 1200, failed: 0 })).toBe(
      'Cancelled. 1,200 tickets refunded.',
    );
  });
});

describe('the guest list', () => {
  it('lists sold tickets, and refunded ones on request', async () => {
    const { eventId, visitor, codes, buyerEmail } = await soldTickets(4);
    await request(eventId, codes[0] ?? '');
    await sql`update tickets set disputed_at = now() where confirmation_number = ${codes[1] ?? ''}`.execute(app.db);
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_before', times: 2 });
    await request(eventId, codes[2] ?? '');

    const listed = async (filter: { all?: '1'; q?: string }) => {
      const { body } = await visitor.call(guestPage, { eventId, ...filter });
      return body.guestList.map(({ state }) => state).sort();
    };
    expect(await listed({})).toEqual(['disputed', 'valid']);
    expect(await listed({ all: '1' })).toEqual(['disputed', 'refunded', 'refunding', 'valid']);
    expect(await listed({ q: buyerEmail })).toHaveLength(4);
    const { body } = await visitor.call(profile, {});
    expect(body.events[0]).toMatchObject({ ticketsSold: 2, guestList: [{}, {}] });
  });
});
