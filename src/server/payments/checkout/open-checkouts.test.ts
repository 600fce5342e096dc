/** A browser's open checkouts. The test app trusts the address that a visitor states. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkoutSession, createCheckoutSession, openCheckouts, releaseCheckout } from '#contract/app/checkout.ts';
import { UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { newId } from '#server/platform/ids.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { reservedOf } from '#tests/support/money.ts';
import { cardWith, eventForm, eventOnSale, expectOk, generalAdmission, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { browserCheckouts } from './browser-checkouts.ts';
import { createCheckoutSession as checkOutAt } from './create-checkout-session.ts';
import { listOpenCheckouts } from './open-checkouts.ts';

const LIMIT = 10;

let app: TestApp;
let eventId: string;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: 1, runsJobs: false });
});
afterAll(() => app.close());
beforeEach(async () => {
  eventId = await newEvent(LIMIT + 2);
});

const newEvent = async (ticketQuantity: number) => {
  const [hall] = eventForm(app).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  return (await eventOnSale(app, { tickets: [{ ...hall, ticketQuantity }] })).eventId;
};

const browserAt = (address: string | null) => app.visitor({ isBrowser: true, address });

const checkOut = (browser: Visitor, quantity = 1, cartId = newId()) =>
  browser.call(createCheckoutSession, { eventId, cartId, cartItems: generalAdmission(quantity) });

const openIn = async (browser: Visitor) => expectOk(await browser.call(openCheckouts, {})).checkouts;

const tooManyOpen = { status: 409, body: { code: 'checkout.too-many-open', params: { count: LIMIT } } };

async function openTen(browser: Visitor) {
  for (let opened = 1; opened < LIMIT; opened += 1) expectOk(await checkOut(browser));
  const cartId = newId();
  return { cartId, ...expectOk(await checkOut(browser, 1, cartId)) };
}

describe('the open checkouts of a browser', () => {
  it('are at most ten over all events, until one is paid, released or over [RES-2]', async () => {
    const browser = browserAt('203.0.113.1');
    const last = await openTen(browser);
    eventId = await newEvent(100);
    expect(await checkOut(browser)).toMatchObject(tooManyOpen);
    expect(await reservedOf(app, eventId)).toBe(0);

    await pay(app.visitor(), last.url, 'sam@example.com');
    expectOk(await app.call(checkoutSession, { sessionId: last.id }));
    expect(await checkOut(browser)).toMatchObject({ status: 200 });
    expect(await checkOut(browser)).toMatchObject(tooManyOpen);

    const [newest] = await openIn(browser);
    expectOk(await browser.call(releaseCheckout, { handle: newest?.handle ?? '' }));
    expect(await checkOut(browser)).toMatchObject({ status: 200 });

    await app.advance({ minutes: 40 });
    expect(await openIn(browser)).toEqual([]);
    expect(await checkOut(browser)).toMatchObject({ status: 200 });
  });

  it('keep the page of a repeated cart, although there are ten [RES-2]', async () => {
    const browser = browserAt('203.0.113.1');
    const { cartId, url } = await openTen(browser);

    const again = await browser.call(createCheckoutSession, { eventId, cartId, cartItems: generalAdmission(1) });

    expect(again.body.url).toBe(url);
  });

  it('are not limited for another browser, a client without cookies, or this machine [RES-2]', async () => {
    await openTen(browserAt('203.0.113.1'));
    expect(await checkOut(browserAt('203.0.113.1'))).toMatchObject({ status: 200 });

    eventId = await newEvent(100);
    const local = browserAt(null);
    await openTen(local);
    expect(await checkOut(local)).toMatchObject({ status: 200 });
  });

  it('are not limited with the limit off [RES-2]', async () => {
    const browser = browserAt('203.0.113.1');
    await openTen(browser);
    const refs = (await openIn(browser)).map((open) => ({ eventId: open.eventId, orderId: open.handle }));
    const cart = { eventId, cartItems: generalAdmission(1) };
    const owned = { refs, add() {} };

    await expect(checkOutAt(app.deps, cart, '203.0.114.1', owned)).rejects.toMatchObject({
      code: 'checkout.too-many-open',
    });
    const networkLimits = { ...app.deps.networkLimits, openCheckouts: null };
    expect(await checkOutAt({ ...app.deps, networkLimits }, cart, '203.0.114.1', owned)).toHaveProperty('url');
  });
});

describe('a reservation', () => {
  it('is found in a new tab of the same browser, with its end and its payment page [RES-4]', async () => {
    const browser = browserAt('203.0.113.1');
    const { body } = await checkOut(browser, 2);

    const [open, ...more] = await openIn(browser);

    expect(more).toEqual([]);
    expect(open).toMatchObject({ eventId, sessionId: body.id, url: body.url });
    expect(open?.tickets).toMatchObject([{ ticketName: 'General admission', quantity: 2 }]);
    const { reservedUntil } = expectOk(await app.call(checkoutSession, { sessionId: body.id }));
    expect(open?.reservedUntil).toBe(reservedUntil);
    expect(await openIn(browserAt('203.0.113.1'))).toEqual([]);
  });

  it('leads back to the checkout queue while it waits there [RES-4]', async () => {
    const queued = { ...app.deps, pagesPerSecond: 0.0001 };
    const cart = { eventId, cartItems: generalAdmission(1) };
    await checkOutAt(queued, cart, '203.0.114.1');
    const refs: { eventId: string; orderId: string }[] = [];
    await checkOutAt(queued, cart, '203.0.114.1', { refs: [], add: (order) => void refs.push(order) });

    const { checkouts } = await listOpenCheckouts(app.deps, { refs, add() {} });

    expect(checkouts).toMatchObject([{ sessionId: null }]);
    expect(checkouts[0]?.url).toContain(`/payment/${eventId}#queue=${eventId}.`);
  });

  it('stands until its end after a declined card [RES-4]', async () => {
    const browser = browserAt('203.0.113.1');
    const { body } = await checkOut(browser, 2);
    await pay(browser, body.url, 'sam@example.com', cardWith('4000 0000 0000 0002'));

    await app.advance({ minutes: UNPAID_RESERVATION_MINUTES - 1 });
    expect(await openIn(browser)).toMatchObject([{ url: body.url }]);
    expect((await pay(browser, body.url, 'sam@example.com')).status).toBe(303);
  });

  it('counts as available to its buyer, also in a new tab, and to no one else [RES-4]', async () => {
    eventId = await newEvent(3);
    const browser = browserAt('203.0.113.1');
    expectOk(await checkOut(browser, 2));

    expect(await checkOut(browserAt('203.0.114.1'), 3)).toMatchObject({ body: { code: 'checkout.sold-out' } });
    expect(await checkOut(browser, 4)).toMatchObject({ body: { code: 'checkout.sold-out' } });
    expect(await openIn(browser)).toMatchObject([{ tickets: [{ quantity: 2 }] }]);

    const changed = expectOk(await checkOut(browser, 3));
    expect(await openIn(browser)).toMatchObject([{ url: changed.url, tickets: [{ quantity: 3 }] }]);
    expect(await reservedOf(app, eventId)).toBe(3);
  });

  it('is released by its browser, and its payment page ends [RES-4]', async () => {
    const browser = browserAt('203.0.113.1');
    const { body } = await checkOut(browser, 2);
    const [open] = await openIn(browser);
    const release = (visitor: Visitor) => visitor.call(releaseCheckout, { handle: open?.handle ?? '' });

    expect(await release(browserAt('203.0.113.1'))).toMatchObject({ status: 404, body: { code: 'checkout.unknown' } });
    expect(await reservedOf(app, eventId)).toBe(2);

    expectOk(await release(browser));
    expect(await reservedOf(app, eventId)).toBe(0);
    await expect(pay(browser, body.url, 'sam@example.com')).rejects.toThrow('no form');
  });

  it('cannot be released once it is paid [RES-4]', async () => {
    const browser = browserAt('203.0.113.1');
    const { body } = await checkOut(browser);
    const [open] = await openIn(browser);
    await pay(browser, body.url, 'sam@example.com');

    const reply = await browser.call(releaseCheckout, { handle: open?.handle ?? '' });

    expect(reply).toMatchObject({ status: 409, body: { code: 'checkout.already-paid' } });
    expect(await reservedOf(app, eventId)).toBe(1);
  });

  it('of another buyer is in no cookie that a browser can make [RES-4]', async () => {
    const victim = browserAt('203.0.113.1');
    expectOk(await checkOut(victim));
    const cookie = victim.cookies.get('checkouts') ?? '';
    const [signature = '', ref = ''] = cookie.split('~');

    for (const forged of [ref, `${'a'.repeat(43)}~${ref}`, `${signature}~${ref}~${ref}`, `${signature}~`, '']) {
      const cookies = { ...nothing, read: () => forged };
      expect(browserCheckouts(app.deps, cookies).refs).toEqual([]);
    }
    expect(browserCheckouts(app.deps, { ...nothing, read: () => cookie }).refs).toHaveLength(1);
  });
});

const nothing = {
  credentials: () => ({ tokens: [], binding: undefined, isFromBrowser: true }),
  write() {},
  writeBrowser() {},
  clear() {},
  clearSession() {},
};
