/** The web app sends a cart ID, so that a repeated checkout never reserves tickets twice. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkoutSession, createCheckoutSession, queuedCheckout } from '#contract/app/checkout.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { clearFaults, planFault, reservedOf, stripeObjectsOf } from '#tests/support/money.ts';
import { eventOnSale, generalAdmission, expectOk as okay, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { releaseUnopened } from './release-reservation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => clearFaults(app));

const SESSIONS = { method: 'POST', path: '/v1/checkout/sessions' };
const LAST = { ticketName: 'General admission', ticketDescription: 'Doors at eight', ticketPrice: 24 };

const checkOut = (eventId: string, cartId: string, quantity: number) =>
  app.call(createCheckoutSession, { eventId, cartId, cartItems: generalAdmission(quantity) });
const statusOf = async (sessionId: string) => (await app.call(checkoutSession, { sessionId })).body.status;

describe('a cart', () => {
  it('returns its payment page again when unchanged', async () => {
    const { eventId } = await eventOnSale(app);
    const cartId = newId();

    const first = await checkOut(eventId, cartId, 2);
    const again = await checkOut(eventId, cartId, 2);
    const concurrent = await Promise.all([checkOut(eventId, cartId, 2), checkOut(eventId, cartId, 2)]);

    expect(first.status).toBe(200);
    for (const reply of [again, ...concurrent]) expect(reply.body).toEqual(first.body);
    expect(await reservedOf(app, eventId)).toBe(2);
    expect(await stripeObjectsOf(app, 'checkout.session', eventId)).toHaveLength(1);
  });

  it('returns its payment page again when its items are reordered', async () => {
    const { eventId } = await eventOnSale(app);
    const cartId = newId();
    const cartItems = [{ ticketName: 'Balcony', quantity: 1 }, ...generalAdmission(2)];

    const first = okay(await app.call(createCheckoutSession, { eventId, cartId, cartItems }));
    const again = okay(await app.call(createCheckoutSession, { eventId, cartId, cartItems: cartItems.toReversed() }));

    expect(again).toEqual(first);
    expect(await reservedOf(app, eventId)).toBe(3);
  });

  it('releases the old tickets and expires the old page when changed', async () => {
    const { eventId } = await eventOnSale(app);
    const cartId = newId();
    const before = await checkOut(eventId, cartId, 60);

    const after = await checkOut(eventId, cartId, 70);

    expect(after.status).toBe(200);
    expect(after.body.id).not.toBe(before.body.id);
    expect(await reservedOf(app, eventId)).toBe(70);
    expect(await statusOf(before.body.id)).toBe('expired');
    await expect(pay(app.visitor(), before.body.url, 'late@example.com')).rejects.toThrow('has expired');
  });

  it('is separate for each event, for each buyer, and after payment', async () => {
    const [one, two] = [await eventOnSale(app), await eventOnSale(app)];
    const cartId = newId();
    const page = await checkOut(one.eventId, cartId, 1);

    expect((await checkOut(two.eventId, cartId, 1)).body.id).not.toBe(page.body.id);
    expect((await checkOut(one.eventId, newId(), 1)).body.id).not.toBe(page.body.id);
    await pay(app.visitor(), page.body.url, 'sam@example.com');
    await app.settle();
    expect(await statusOf(page.body.id)).toBe('confirmed');

    const next = await checkOut(one.eventId, cartId, 1);
    expect(next.status).toBe(200);
    expect(next.body.id).not.toBe(page.body.id);
    expect(await reservedOf(app, one.eventId)).toBe(3);
  });

  it('stays paid when changed during payment, and the change is a new order', async () => {
    const { eventId } = await eventOnSale(app);
    const cartId = newId();
    const page = await checkOut(eventId, cartId, 1);
    await pay(app.visitor(), page.body.url, 'quick@example.com');

    const changed = await checkOut(eventId, cartId, 3);

    expect(changed.status).toBe(200);
    expect(await statusOf(page.body.id)).toBe('confirmed');
    expect(await reservedOf(app, eventId)).toBe(4);
  });

  it('starts over when its page has expired', async () => {
    const { eventId } = await eventOnSale(app);
    const cartId = newId();
    const page = await checkOut(eventId, cartId, 1);
    await app.advance({ minutes: 33 });

    const retry = await checkOut(eventId, cartId, 1);

    expect(retry.status).toBe(200);
    expect(retry.body.id).not.toBe(page.body.id);
    expect(await reservedOf(app, eventId)).toBe(1);
  });

  it('keeps its tickets when the buyer retries while Stripe is slow', async () => {
    const { eventId } = await eventOnSale(app);
    const cartId = newId();
    await planFault(app, { match: SESSIONS, mode: 'slow', ms: 4_000 });
    const first = checkOut(eventId, cartId, 2);
    await expect.poll(() => reservedOf(app, eventId)).toBe(2);

    const { queue } = okay(await checkOut(eventId, cartId, 2));
    const page = okay(await first);

    expect(queue?.before).toBe(0);
    const pageId = async () => okay(await app.call(queuedCheckout, { handle: queue?.handle ?? '' })).id;
    await expect.poll(pageId).toBe(page.id);
    expect(okay(await checkOut(eventId, cartId, 2)).id).toBe(page.id);
    expect(await reservedOf(app, eventId)).toBe(2);
  });

  it('keeps its tickets when a second page request fails after the first succeeded', async () => {
    const { eventId } = await eventOnSale(app);
    const page = okay(await checkOut(eventId, newId(), 2));
    const orders = app.db.selectFrom('orders').where('sessionId', '=', page.id);
    const { id: orderId } = await orders.select('id').executeTakeFirstOrThrow();

    expect(await releaseUnopened(app.deps, { eventId, orderId })).toBe(false);
    expect(await reservedOf(app, eventId)).toBe(2);
  });

  it('is not sold out to the buyer who has the last tickets', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [{ ...LAST, ticketQuantity: 1 }] });
    const cartId = newId();
    const page = okay(await checkOut(eventId, cartId, 1));

    const [other, again] = [await checkOut(eventId, newId(), 1), await checkOut(eventId, cartId, 1)];

    expect(other).toMatchObject({ status: 409, body: errorBody('checkout.sold-out', { name: LAST.ticketName }) });
    expect(again).toMatchObject({ status: 200, body: { id: page.id } });
  });

  it('requires an unguessable ID', async () => {
    const { eventId } = await eventOnSale(app);
    expect(await checkOut(eventId, 'mine', 1)).toMatchObject({ status: 400 });
  });
});
