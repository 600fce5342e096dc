import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { createCheckoutSession as createCheckoutSessionAt } from '#server/payments/checkout/create-checkout-session.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { openForm } from '#tests/support/html-form.ts';
import {
  advanceTo,
  ledgerOf,
  movementsAtStripe,
  planFault,
  reservedOf,
  stripeObjectsOf,
  stripeOf,
} from '#tests/support/money.ts';
import {
  codesOf,
  emailsTo,
  eventForm,
  eventOnSale,
  goodCard,
  onboardedOrganizer,
  openCheckout,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { raceFor, raceForSession } from '#tests/support/race.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const seat = (ticketPrice: number, ticketQuantity = 10) => ({
  tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice, ticketQuantity }],
});
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

const checkOut = (eventId: string, cartItems: unknown = seats(1)) =>
  app.visitor().send(createCheckoutSession, { eventId, cartItems });
/** One server batches its own buyers, so callers that race for a row use a server each. */
const atTwoServers = (eventId: string) =>
  [app.deps, anotherServer(app.deps)].map(
    (deps) => () => settled(createCheckoutSessionAt(deps, { eventId, cartItems: seats(1) }, '127.0.0.1')),
  );
const settled = async <T>(work: Promise<T>) => (await Promise.allSettled([work]))[0];
const sessionsOf = (eventId: string) => stripeObjectsOf(app, 'checkout.session', eventId);
const ordersOf = (eventId: string) =>
  app.db.selectFrom('orders').where('eventId', '=', eventId).selectAll().orderBy('createdAt').execute();
const ticketsOf = (eventId: string) =>
  app.db.selectFrom('tickets').where('eventId', '=', eventId).selectAll().execute();

describe('the price', () => {
  it('case 1: comes from the database, whatever the request says', async () => {
    const { eventId } = await eventOnSale(app, seat(38.5));
    const smuggled = { unit_amount: 50, unitPriceCents: 50, price: 0.5, priceCents: 50 };

    const reply = await checkOut(eventId, [{ ...seats(1)[0], ...smuggled }]);
    expect(reply.status).toBe(200);
    const lines = await stripeOf(app).checkout.sessions.listLineItems(reply.body.id);
    expect(lines.data.map(({ price }) => price?.unit_amount)).toEqual([38_50]);

    expect(await checkOut(eventId, [{ ...seats(1)[0], ticketPrice: 0.5 }])).toMatchObject({
      status: 409,
      body: { code: 'checkout.price-changed' },
    });
    expect(await sessionsOf(eventId)).toHaveLength(1);
  });

  it('case 6: of a ticket is never 25 cents, and an existing ticket at that price is refused with a message', async () => {
    const { visitor } = await onboardedOrganizer(app);
    expect((await visitor.call(createEvent, eventForm(app, seat(0.25)))).status).toBe(400);

    const { eventId } = await eventOnSale(app, seat(1));
    await sql`alter table ticket_types drop constraint ticket_types_price_cents_check`.execute(app.db);
    await app.db.updateTable('ticketTypes').set({ priceCents: 25 }).where('eventId', '=', eventId).execute();
    expect(await checkOut(eventId)).toMatchObject({ status: 409, body: { code: 'checkout.total-too-small' } });
    expect(await sessionsOf(eventId)).toEqual([]);
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('case 7: of 20 tickets at $50,000 is refused before Stripe is called', async () => {
    const { eventId } = await eventOnSale(app, seat(50_000, 20));
    await planFault(app, { match: { method: 'POST', path: '/v1/checkout/sessions' }, mode: 'drop_before', times: 9 });

    expect(await checkOut(eventId, seats(20))).toMatchObject({
      status: 409,
      body: { code: 'checkout.total-too-large' },
    });
    expect(await sessionsOf(eventId)).toEqual([]);
  });

  it('case 9: stays as it was when the payment page opened, on the ticket and in a refund', async () => {
    const event = await eventOnSale(app, seat(20));
    const checkout = await openCheckout(app, event.eventId, seats(1));
    await editEventOf(app, event, seat(35));

    await checkout.pay('old-price@example.com');
    const [code = ''] = codesOf(await checkout.poll());
    expect(await stripeObjectsOf(app, 'charge', event.eventId)).toMatchObject([{ amount: 20_00 }]);
    expect(await ticketsOf(event.eventId)).toMatchObject([{ priceCents: 20_00 }]);
    await app.call(requestRefund, { eventId: event.eventId, confirmationCode: code });
    expect(await movementsAtStripe(app, 'refund', event.eventId)).toMatchObject([{ amount: 20_00 }]);
  });
});

describe('the last ticket, and a repeated cart', () => {
  it('case 2: sells to one of two simultaneous buyers, and refuses the other', async () => {
    const { eventId } = await eventOnSale(app, seat(20, 1));

    const outcomes = await raceFor(app, 'ticket_types', eventId, atTwoServers(eventId));

    // Not always the first: a buyer who has waited for a moment queues again.
    expect(outcomes.map((outcome) => outcome?.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find((outcome) => outcome?.status === 'rejected')).toMatchObject({
      status: 'rejected',
      reason: { code: 'checkout.sold-out', params: { name: 'Seat' } },
    });
    expect(await sessionsOf(eventId)).toHaveLength(1);
    expect(await reservedOf(app, eventId)).toBe(1);
    await expect(
      app.db.updateTable('ticketTypes').set({ reserved: 2 }).where('eventId', '=', eventId).execute(),
    ).rejects.toThrow('never_oversold');
  });

  it('case 3: a double click makes two orders with a reservation each, never one with two charges', async () => {
    const { eventId } = await eventOnSale(app, seat(20));
    await raceFor(app, 'ticket_types', eventId, atTwoServers(eventId));
    const [first, second, ...more] = await ordersOf(eventId);
    expect([first, second, more]).toMatchObject([{ state: 'reserved' }, { state: 'reserved' }, []]);
    expect(await reservedOf(app, eventId)).toBe(2);
    expect(second?.sessionId).not.toBe(first?.sessionId);

    const { buyer, url, sessionId, poll } = await openCheckout(app, eventId, seats(1));
    const submit = await openForm(buyer, url, 'Pay');
    const payNow = () => submit({ email: 'twice@example.com', ...goodCard });
    const answers = await raceForSession(app, sessionId, [payNow, payNow]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await poll()).status).toBe('confirmed');
    expect(await stripeObjectsOf(app, 'charge', eventId)).toHaveLength(1);
    const orders = await ordersOf(eventId);
    expect(orders.filter(({ state }) => state === 'paid').map((order) => order.sessionId)).toEqual([sessionId]);
    expect(await ticketsOf(eventId)).toHaveLength(1);
  });

  it('case 4: a session whose response was lost is found by its idempotency key, and stays the only one', async () => {
    const { eventId } = await eventOnSale(app, seat(20));
    await planFault(app, { match: { method: 'POST', path: '/v1/checkout/sessions' }, mode: 'drop_after', times: 1 });

    const reply = await checkOut(eventId);

    const [session, ...more] = await sessionsOf(eventId);
    expect(more).toEqual([]);
    expect(reply).toMatchObject({ status: 200, body: { id: session?.id } });
    const [order] = await ordersOf(eventId);
    expect(order).toMatchObject({ state: 'reserved', sessionId: session?.id });
    const { rows } = await sql`select key from sandbox.idempotency_keys where key like ${`cs:${order?.id}%`}`.execute(
      app.db,
    );
    expect(rows).toEqual([{ key: `cs:${order?.id}:1` }]);
  });
});

describe('a free checkout, and a rejected one', () => {
  it('case 5: opens no payment page, charges nothing and issues its tickets once', async () => {
    const { eventId } = await eventOnSale(app, seat(0));
    const email = 'free@example.com';
    const { sessionId } = await takeFreeTickets(app, eventId, seats(2), { email });
    const poll = () => app.call(checkoutSession, { sessionId });
    await Promise.all([poll(), poll()]);
    await app.settle();

    expect(await ticketsOf(eventId)).toHaveLength(2);
    for (const kind of ['checkout.session', 'charge'] as const)
      expect(await stripeObjectsOf(app, kind, eventId)).toEqual([]);
    expect(await ledgerOf(app, eventId)).toEqual([]);
    expect((await emailsTo(app, email)).filter(({ subject }) => subject.endsWith('your 2 tickets'))).toHaveLength(1);
  });

  it('case 8: does not open for an event that is cancelled or over', async () => {
    const cancelled = await eventOnSale(app, seat(20));
    const over = await eventOnSale(app, seat(20));
    await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId });
    const { endsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', over.eventId)
      .select('endsAt')
      .executeTakeFirstOrThrow();
    await advanceTo(app, new Date(endsAt.getTime() + 1_000));

    for (const [{ eventId }, reason] of [
      [cancelled, 'event-cancelled'],
      [over, 'event-ended'],
    ] as const) {
      expect(await checkOut(eventId)).toMatchObject({ status: 409, body: { code: `checkout.${reason}` } });
      expect(await sessionsOf(eventId)).toEqual([]);
      expect(await reservedOf(app, eventId)).toBe(0);
    }
  });
});
