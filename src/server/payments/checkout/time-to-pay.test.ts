/** How long a payment page keeps its tickets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { PAYMENT_PAGE_MINUTES, SHORT_PAYMENT_MINUTES } from '#domain/reservation-times.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { reservedOf } from '#tests/support/money.ts';
import { eventForm, eventOnSale, expectOk, generalAdmission, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createCheckoutSession as checkOutAt } from './create-checkout-session.ts';
import { dequeueCheckouts } from './dequeue-checkouts.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

const MINUTE = 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

async function eventWith(ticketQuantity: number, addOns = 0): Promise<string> {
  const [hall] = eventForm(app).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  const shirt = { ...hall, ticketName: 'T-shirt', ticketQuantity: addOns, isAddOn: true };
  return (await eventOnSale(app, { tickets: [{ ...hall, ticketQuantity }, ...(addOns > 0 ? [shirt] : [])] })).eventId;
}

/** At a server that has just started: a running one may count as of half a second ago. */
const reserve = (eventId: string, quantity: number) =>
  checkOutAt(anotherServer(app.deps), { eventId, cartItems: generalAdmission(quantity) }, '127.0.0.1');

async function minutesOf({ id }: { id: string }): Promise<number> {
  const orders = app.db.selectFrom('orders').where('sessionId', '=', id).select('reservationExpiresAt');
  const { reservationExpiresAt } = await orders.executeTakeFirstOrThrow();
  return Math.round((reservationExpiresAt.getTime() - app.now().getTime()) / MINUTE);
}

/** The last of 100 tickets that others don't hold. */
async function inARush() {
  const eventId = await eventWith(100);
  await reserve(eventId, 51);
  return { eventId, ...(await reserve(eventId, 2)) };
}

describe('a reservation with a payment page', () => {
  it('lasts as long as the page, and shorter while more than half of what is left waits for payment [RES-3]', async () => {
    const eventId = await eventWith(100);

    expect(await minutesOf(await reserve(eventId, 100))).toBe(PAYMENT_PAGE_MINUTES);
    const other = await eventWith(100);
    expect(await minutesOf(await reserve(other, 50))).toBe(PAYMENT_PAGE_MINUTES);
    expect(await minutesOf(await reserve(other, 1))).toBe(PAYMENT_PAGE_MINUTES);
    expect(await minutesOf(await reserve(other, 1))).toBe(SHORT_PAYMENT_MINUTES);
  });

  it('counts only what is not sold [RES-3]', async () => {
    const eventId = await eventWith(100);
    const { id: sessionId, url } = await reserve(eventId, 90);
    await pay(app.visitor(), url, 'sam@example.com');
    expectOk(await app.call(checkoutSession, { sessionId }));

    expect(await minutesOf(await reserve(eventId, 5))).toBe(PAYMENT_PAGE_MINUTES);
    expect(await minutesOf(await reserve(eventId, 1))).toBe(PAYMENT_PAGE_MINUTES);
    expect(await minutesOf(await reserve(eventId, 1))).toBe(SHORT_PAYMENT_MINUTES);
  });

  it('counts no add-ons [RES-3 PRICE-6]', async () => {
    const eventId = await eventWith(100, 500);
    await reserve(eventId, 51);

    expect(await minutesOf(await reserve(eventId, 1))).toBe(SHORT_PAYMENT_MINUTES);
  });

  it('ends with its page, which can no longer be paid [RES-3]', async () => {
    const { eventId, id: sessionId, url } = await inARush();

    await app.advance({ minutes: SHORT_PAYMENT_MINUTES });
    await settleLapsedOrders(app.deps);

    expect(await reservedOf(app, eventId)).toBe(51);
    expect((await app.call(checkoutSession, { sessionId })).body.status).toBe('expired');
    await expect(pay(app.visitor(), url, 'late@example.com')).rejects.toThrow('no form');
  });

  it('is honored if it was paid just before [RES-3]', async () => {
    const { eventId, id: sessionId, url } = await inARush();

    await pay(app.visitor(), url, 'sam@example.com');
    await app.advance({ minutes: SHORT_PAYMENT_MINUTES });
    await settleLapsedOrders(app.deps);

    expect(await reservedOf(app, eventId)).toBe(53);
    expect((await app.call(checkoutSession, { sessionId })).body.status).toBe('confirmed');
  });

  it('is the same for a page that opens from the queue, and for the same cart [RES-3]', async () => {
    const eventId = await eventWith(100);
    const slow = { ...anotherServer(app.deps), pagesPerSecond: 1 };
    const cart = { eventId, cartId: '0199b2c4-0000-7000-8000-000000000001', cartItems: generalAdmission(2) };
    await checkOutAt(slow, { eventId, cartItems: generalAdmission(51) }, '127.0.0.1');
    await checkOutAt(slow, cart, '127.0.0.1');

    await Promise.all((await dequeueCheckouts({ ...app.deps, pagesPerSecond: null }, 10)).pages);
    const again = expectOk(await app.call(createCheckoutSession, cart));
    expect(await minutesOf(again)).toBe(SHORT_PAYMENT_MINUTES);
    const { reservedUntil } = expectOk(await app.call(checkoutSession, { sessionId: again.id }));
    expect(new Date(reservedUntil ?? 0).getTime()).toBeLessThan(app.now().getTime() + PAYMENT_PAGE_MINUTES * MINUTE);
  });
});
