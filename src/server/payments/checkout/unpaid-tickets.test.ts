/** Unpaid tickets per event and client network. The test app trusts the address that a visitor states. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  checkoutSession,
  createCheckoutSession,
  leaveQueuedCheckout,
  openCheckouts,
  releaseCheckout,
} from '#contract/app/checkout.ts';
import { UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { newId } from '#server/platform/ids.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { reservedOf } from '#tests/support/money.ts';
import { eventForm, eventOnSale, expectOk, generalAdmission, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createCheckoutSession as checkOutAt } from './create-checkout-session.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

const LIMIT = 20;

let app: TestApp;
let eventId: string;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: 1, runsJobs: false });
});
afterAll(() => app.close());
beforeEach(async () => {
  eventId = await newEvent();
});

const newEvent = async () => {
  const [hall] = eventForm(app).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  return (await eventOnSale(app, { tickets: [{ ...hall, ticketQuantity: 1_000 }] })).eventId;
};

const checkOut = (address: string, quantity = 1, cartId = newId()) =>
  app.visitor({ address }).call(createCheckoutSession, { eventId, cartId, cartItems: generalAdmission(quantity) });

const limitReached = { status: 409, body: { code: 'checkout.network-limit' } };

const networksOf = async () =>
  (await app.db.selectFrom('orders').where('eventId', '=', eventId).select('networkHash').execute()).map(
    ({ networkHash }) => networkHash,
  );

describe('unpaid tickets of one network', () => {
  it('are limited for each event, whichever address reserves them [RES-1]', async () => {
    for (const [address, quantity] of [
      ['203.0.113.1', 12],
      ['203.0.113.2', 8],
    ] as const)
      expect(await checkOut(address, quantity)).toMatchObject({ status: 200 });

    const denied = await checkOut('203.0.113.3');
    expect(denied).toMatchObject(limitReached);
    const first = app.db.selectFrom('orders').where('eventId', '=', eventId).select('reservationExpiresAt');
    const { reservationExpiresAt } = await first.orderBy('reservationExpiresAt').executeTakeFirstOrThrow();
    expect(denied.body).toMatchObject({ params: { retryAt: reservationExpiresAt.toISOString() } });
    expect(await reservedOf(app, eventId)).toBe(LIMIT);

    expect(await checkOut('203.0.114.1', LIMIT)).toMatchObject({ status: 200 });
    eventId = await newEvent();
    expect(await checkOut('203.0.113.1', LIMIT)).toMatchObject({ status: 200 });
  });

  it('can be one larger order, but nothing more [RES-1]', async () => {
    expect(await checkOut('203.0.113.1', 100)).toMatchObject({ status: 200 });
    expect(await checkOut('203.0.113.1')).toMatchObject(limitReached);
    expect(await checkOut('203.0.114.1')).toMatchObject({ status: 200 });
    expect(await checkOut('203.0.114.1', LIMIT)).toMatchObject(limitReached);
  });

  it('count by the /48 of an IPv6 address, and not on this machine [RES-1]', async () => {
    expect(await checkOut('2001:db8:7:1::1', LIMIT)).toMatchObject({ status: 200 });
    expect(await checkOut('2001:db8:7:2::1')).toMatchObject(limitReached);
    expect(await checkOut('2001:db8:8:1::1')).toMatchObject({ status: 200 });

    for (const address of ['127.0.0.1', '::1']) {
      expect(await checkOut(address, LIMIT)).toMatchObject({ status: 200 });
      expect(await checkOut(address, LIMIT)).toMatchObject({ status: 200 });
    }
  });

  it('count once for the same cart, which keeps its payment page [RES-1]', async () => {
    const cartId = newId();
    const first = await checkOut('203.0.113.1', LIMIT, cartId);
    expect((await checkOut('203.0.113.1', LIMIT, cartId)).body.url).toBe(first.body.url);
    expect(await checkOut('203.0.113.1')).toMatchObject(limitReached);
  });

  it('are counted exactly when they arrive together, and by a server that starts later [RES-1]', async () => {
    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      const waiting = Array.from({ length: 30 }, (_, n) => checkOut(`203.0.113.${n}`, 2));
      await app.untilBlocked();
      return { waiting: Promise.all(waiting) };
    });
    const granted = (await waiting).filter(({ status }) => status === 200);
    expect(granted).toHaveLength(LIMIT / 2);
    expect(await reservedOf(app, eventId)).toBe(LIMIT);

    const later = checkOutAt(anotherServer(app.deps), { eventId, cartItems: generalAdmission(1) }, '203.0.113.99');
    await expect(later).rejects.toMatchObject({ code: 'checkout.network-limit' });
  });
});

describe("a network's allowance", () => {
  it('returns with each payment, and forgets the network [RES-1]', async () => {
    const { body } = await checkOut('203.0.113.1', LIMIT);
    expect(await networksOf()).toEqual([expect.any(Number)]);
    expect(await checkOut('203.0.113.1')).toMatchObject(limitReached);

    await pay(app.visitor(), body.url, 'sam@example.com');
    expectOk(await app.call(checkoutSession, { sessionId: body.id }));
    expect(await networksOf()).toEqual([null]);
    expect(await checkOut('203.0.113.1', LIMIT)).toMatchObject({ status: 200 });
  });

  it('returns when the payment page expires [RES-1]', async () => {
    await checkOut('203.0.113.1', LIMIT);
    await app.advance({ minutes: 33 });
    await settleLapsedOrders(app.deps);
    expect(await networksOf()).toEqual([null]);
    expect(await checkOut('203.0.113.1', LIMIT)).toMatchObject({ status: 200 });
  });

  it('returns when the buyer releases the payment page [RES-1]', async () => {
    const browser = app.visitor({ address: '203.0.113.1', isBrowser: true });
    expectOk(await browser.call(createCheckoutSession, { eventId, cartItems: generalAdmission(LIMIT) }));
    expect(await checkOut('203.0.113.1')).toMatchObject(limitReached);

    const [open] = expectOk(await browser.call(openCheckouts, {})).checkouts;
    expectOk(await browser.call(releaseCheckout, { handle: open?.handle ?? '' }));
    expect(await checkOut('203.0.113.1', LIMIT)).toMatchObject({ status: 200 });
  });

  it('returns when a queued buyer leaves, or stays away [RES-1]', async () => {
    const queued = { ...app.deps, pagesPerSecond: 0.0001 };
    const join = (address: string) => checkOutAt(queued, { eventId, cartItems: generalAdmission(LIMIT) }, address);
    await join('198.51.100.1');
    const { id: handle } = await join('203.0.113.1');
    await join('203.0.114.1');

    expectOk(await app.call(leaveQueuedCheckout, { handle }));
    expect(await checkOut('203.0.113.1', LIMIT)).toMatchObject({ status: 200 });

    expect(await checkOut('203.0.114.1')).toMatchObject(limitReached);
    await app.advance({ minutes: UNPAID_RESERVATION_MINUTES });
    await releaseExpired(app.deps, { wait: true });
    expect(await checkOut('203.0.114.1', LIMIT)).toMatchObject({ status: 200 });
  });
});
