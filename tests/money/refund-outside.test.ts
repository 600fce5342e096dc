import { describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import type { refundErrors } from '#messages/refunds.ts';
import { errorBody } from '#tests/support/error-body.ts';
import {
  ledgerOf,
  movementsAtStripe,
  openPayout,
  paymentOf,
  planFault,
  reservedOf,
  simulateAtBank,
  stripeObjectsOf,
  stripeOf,
} from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  cardWith,
  codesOf,
  emailsTo,
  eventOnSale,
  goodCard,
  openCheckout,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const FUNDS_AT_ONCE = cardWith('4000 0000 0000 0077');
const SEAT = { ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 24, ticketQuantity: 500 };
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

type Event = Awaited<ReturnType<typeof eventOnSale>>;

let buyers = 0;
async function soldTickets(quantity = 1, card = goodCard) {
  const event = await eventOnSale(app, { tickets: [SEAT] });
  const buyerEmail = `buyer-${++buyers}@example.com`;
  const order = await buyTickets(app, event.eventId, seats(quantity), buyerEmail, card);
  await app.settle();
  const codes = codesOf(order);
  return { ...event, buyerEmail, codes, code: codes[0] ?? '' };
}

const ask = (eventId: string, confirmationCode: string) => app.call(requestRefund, { eventId, confirmationCode });
const refused = (code: keyof typeof refundErrors) => ({ status: 409, body: errorBody(code) });
const refundsOf = (eventId: string) =>
  app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().orderBy('createdAt').execute();
async function statesOf(eventId: string) {
  const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  return tickets.map(({ state }) => state).sort();
}
async function statementOf({ visitor, eventId }: Event) {
  const { body } = await visitor.call(profile, {});
  return body.events.find((event) => event.eventId === eventId)?.payout.statement;
}

describe('insufficient funds at Stripe', () => {
  it('case 29: delay a refund; the payout excludes it at once, and it completes when funds arrive', async () => {
    // Funds of other sales are available by then, and go out to the platform's bank.
    await app.advance({ days: 3 });
    const event = await soldTickets(2, FUNDS_AT_ONCE);
    const { eventId, code } = event;
    const stripe = stripeOf(app);
    const { available } = await stripe.balance.retrieve();
    await stripe.payouts.create({ amount: available[0]?.amount ?? 0, currency: 'usd' });

    expect((await ask(eventId, code)).status).toBe(200);
    await app.settle();
    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ status: 'pending' }]);
    expect(await refundsOf(eventId)).toMatchObject([{ state: 'sent', movedAt: null, settledAt: null }]);
    expect(await ledgerOf(app, eventId, 'refund-moved')).toEqual([]);
    expect(await statementOf(event)).toMatchObject({ paidTickets: 1, gross: 24 });

    await buyTickets(app, eventId, seats(4), 'more@example.com', FUNDS_AT_ONCE);
    await app.advance({ seconds: 2 });
    await app.settle();
    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ status: 'succeeded' }]);
    expect(await refundsOf(eventId)).toMatchObject([{ movedAt: expect.any(Date), settledAt: expect.any(Date) }]);
    expect(await ledgerOf(app, eventId, 'refund-moved')).toHaveLength(2);
  });
});

describe('a refund in the Stripe dashboard', () => {
  it('case 30: of the full payment is recorded, and voids all its tickets', async () => {
    const { eventId, codes, attendantCode } = await soldTickets(2);
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId) });
    await app.settle();

    expect(await refundsOf(eventId)).toMatchObject([{ reason: 'external', state: 'sent', cents: 48_00 }]);
    expect(await statesOf(eventId)).toEqual(['void', 'void']);
    const door = await attendantOf(app, eventId, attendantCode);
    for (const confirmationNumber of codes) {
      expect((await door.call(checkGuest, { eventId, confirmationNumber })).status).toBe(409);
      expect(await ask(eventId, confirmationNumber)).toMatchObject(refused('refund.void'));
    }
    const payable = (await ledgerOf(app, eventId)).filter((line) => line.includes(' organizer-payable '));
    expect(payable.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(0);
  });

  it('case 30: of a part keeps the tickets valid, and reduces the payout by that amount', async () => {
    const event = await soldTickets(2);
    const { eventId } = event;
    const before = await statementOf(event);
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId), amount: 5_00 });
    await app.settle();

    expect(await refundsOf(eventId)).toMatchObject([{ reason: 'external', state: 'sent', cents: 5_00 }]);
    expect(await statesOf(eventId)).toEqual(['valid', 'valid']);
    expect((await statementOf(event))?.net).toBeCloseTo((before?.net ?? 0) - 5, 2);
    await openPayout(app, event);
    // 2 x $24.00, less $5.00, 2 x $1.23 and $15.00.
    expect(await event.visitor.call(requestPayout, { eventId })).toMatchObject({ body: { totalPayout: 25.54 } });
    expect(await movementsAtStripe(app, 'transfer', eventId)).toMatchObject([{ amount: 25_54 }]);
  });
});

describe('a disputed payment', () => {
  it.each(['before', 'after'])('case 31: is not refunded, and the buyer learns why, %s we hear of it', async (when) => {
    const { eventId, code } = await soldTickets();
    if (when === 'before') await planFault(app, { webhook: 'drop', times: 100 });
    await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, eventId) });
    await app.settle();

    expect(await ask(eventId, code)).toMatchObject(refused('refund.disputed'));
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
  });
});

describe('a cancelled event', () => {
  const ORDERS = 15;

  it('case 32: refunds every buyer once, although the work is interrupted and restarted', async () => {
    const event = await eventOnSale(app, { tickets: [SEAT] });
    const { eventId, visitor, attendantCode } = event;
    const orders = [];
    for (let number = 1; number <= ORDERS; number++)
      orders.push(await buyTickets(app, eventId, seats(1), `fan-${number}@example.com`));
    const door = await attendantOf(app, eventId, attendantCode);
    const [used = '', given = ''] = orders.flatMap(codesOf);
    await door.call(checkGuest, { eventId, confirmationNumber: used });
    await ask(eventId, given);
    const open = await openCheckout(app, eventId, seats(1));

    await visitor.call(cancelEvent, { eventId });
    while ((await movementsAtStripe(app, 'refund', eventId)).length < ORDERS / 3)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await app.restartJobs();
    await app.settle();

    expect((await stripeObjectsOf(app, 'checkout.session', eventId)).at(-1)?.status).toBe('expired');
    expect((await open.pay('late@example.com').catch(() => ({ status: 410 }))).status).toBe(410);
    const refunds = await movementsAtStripe(app, 'refund', eventId);
    expect(refunds.map(({ amount }) => amount)).toEqual(Array(ORDERS).fill(24_00));
    expect(await statesOf(eventId)).toEqual(Array(ORDERS).fill('refunded'));
    expect(await reservedOf(app, eventId)).toBe(0);
    for (const number of [1, 2, ORDERS]) {
      const emails = await emailsTo(app, `fan-${number}@example.com`);
      expect(emails.filter(({ subject }) => subject.includes('cancelled'))).toHaveLength(number === 2 ? 0 : 1);
    }
    await openPayout(app, event);
    expect(await visitor.call(requestPayout, { eventId })).toMatchObject({
      status: 409,
      body: { code: 'payout.event-cancelled' },
    });
    expect(await movementsAtStripe(app, 'transfer', eventId)).toEqual([]);
  });

  it('case 33: refunds in full a buyer who pays at that very moment', async () => {
    const { eventId, visitor } = await eventOnSale(app, { tickets: [SEAT] });
    const { sessionId, pay, poll } = await openCheckout(app, eventId, seats(2));
    const path = `/v1/checkout/sessions/${sessionId}/expire`;
    await planFault(app, { match: { method: 'POST', path }, mode: 'error_before', times: 100 });
    await visitor.call(cancelEvent, { eventId });

    expect((await pay('in-time@example.com')).status).toBe(303);
    await app.settle();

    expect((await poll()).status).toBe('refunded');
    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 48_00, status: 'succeeded' }]);
    expect(await refundsOf(eventId)).toMatchObject([{ reason: 'unfulfillable-order', state: 'sent' }]);
    expect(await statesOf(eventId)).toEqual([]);
    expect(await reservedOf(app, eventId)).toBe(0);
  });
});
