/** Free orders: their buyers prove an address instead of paying. The test app trusts the address that a visitor states. */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutSession, createCheckoutSession, openCheckouts } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { readCheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { confirmFreeOrder, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { WRONG_CODES_MAX } from '#domain/sales/free-orders.ts';
import { freeEvent, freeTicket, reserve } from '#tests/support/free-orders.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { ledgerOf, reservedOf, stripeObjectsOf } from '#tests/support/money.ts';
import {
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  orderCodeFor,
  proveAddress,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { raceForLock } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: 1 });
});
afterAll(() => app.close());

async function tokenFor(email: string): Promise<string> {
  const [message] = await emailsTo(app, email);
  return /\/checkout\/[\w.-]+\?token=([\w-]+)/.exec(message?.text ?? '')?.[1] ?? '';
}

/** Another code, whatever the right one is. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a free order', () => {
  it('is confirmed by the emailed code, without money and without Stripe [FREE-3]', async () => {
    const { eventId } = await freeEvent(app);
    const order = await reserve(app, eventId, 2);
    expect(order.url).toBe(`${app.publicUrl}/checkout/${order.handle}`);
    const { body } = await order.send('sam@example.com');
    expect(body).toMatchObject({
      sessionId: null,
      order: {
        status: 'open',
        tickets: [{ ticketName: 'General admission', quantity: 2 }],
        sentTo: { email: 'sam@example.com' },
      },
    });

    const { sessionId } = expectOk(await order.confirm(await orderCodeFor(app, 'sam@example.com')));

    expect(sessionId).toMatch(/^free_[\w-]{24}$/);
    expect(await order.read()).toMatchObject({ status: 'confirmed' });
    const [tickets] = await emailsTo(app, 'sam@example.com');
    const { details } = expectOk(await app.call(checkoutSession, { sessionId }));
    expect(tickets?.text).toContain(`/order/${details?.token}`);
    expect(await ledgerOf(app, eventId)).toEqual([]);
    expect(await stripeObjectsOf(app, 'checkout.session', eventId)).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('changes nothing when the emailed link is opened, only when its button is pressed, and once [FREE-6]', async () => {
    const { eventId } = await freeEvent(app);
    const order = await reserve(app, eventId);
    await order.send('link@example.com');
    const token = await tokenFor('link@example.com');
    for (let n = 0; n < 10; n++)
      expect((await fetch(`${app.publicUrl}/checkout/${order.handle}?token=${token}`)).status).toBeLessThan(500);
    expect(await order.read()).toMatchObject({ status: 'open' });

    const first = expectOk(await order.open(token));
    expect(expectOk(await order.open(token))).toEqual(first);
    expect(expectOk(await order.confirm(await orderCodeFor(app, 'link@example.com')))).toEqual(first);

    const tickets = app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id');
    expect(await tickets.execute()).toHaveLength(1);
    expect(await order.open('x'.repeat(43))).toMatchObject({ status: 409, body: { code: 'free-order.old-link' } });
  });

  it('is bound to its code, its link and its signed address [FREE-3]', async () => {
    const { eventId } = await freeEvent(app);
    const [own, other] = [await reserve(app, eventId), await reserve(app, eventId)];
    await own.send('own@example.com');
    await other.send('other@example.com');
    const [code, token] = [await orderCodeFor(app, 'other@example.com'), await tokenFor('other@example.com')];

    expect(await own.confirm(code)).toMatchObject({ status: 409, body: { code: 'free-order.wrong-code' } });
    expect(await own.open(token)).toMatchObject({ body: { code: 'free-order.old-link' } });
    for (const handle of [own.handle.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), 'x', `${eventId}..`])
      expect(await app.call(readCheckoutPage, { handle })).toMatchObject({
        status: 404,
        body: { code: 'checkout.unknown' },
      });
    const paid = await eventOnSale(app);
    const { body } = await app.call(createCheckoutSession, { eventId: paid.eventId, cartItems: generalAdmission(1) });
    expect((await app.call(readCheckoutPage, { handle: body.id })).status).toBe(404);
  });

  it('never joins the checkout queue, and does not shift the others in it [FREE-3]', async () => {
    const crowded = await startTestApp({ pagesPerSecond: 0.001, runsJobs: false });
    try {
      const { eventId } = await eventOnSale(crowded, {
        tickets: [freeTicket, { ...freeTicket, ticketName: 'Seat', ticketPrice: 20 }],
      });
      const names = ['Seat', 'General admission', 'Seat', 'General admission', 'Seat'];
      const replies = await Promise.all(
        names.map((ticketName) =>
          crowded.visitor().call(createCheckoutSession, { eventId, cartItems: [{ ticketName, quantity: 1 }] }),
        ),
      );
      const pages = replies.map((reply) => expectOk(reply));
      const freeOnes = pages.filter((_page, index) => names[index] === 'General admission');
      for (const { url, queue } of freeOnes)
        expect([url, queue]).toEqual([expect.stringContaining('/checkout/'), undefined]);
      const queued = await crowded.db.selectFrom('checkoutQueue').select('position').orderBy('position').execute();
      const shown = pages.flatMap(({ queue }) => queue?.handle.split('.')[2] ?? []).map(Number);
      expect(shown.toSorted((one, other) => one - other)).toEqual(queued.map(({ position }) => position));
      expect(queued.length).toBeGreaterThan(0);
    } finally {
      await crowded.close();
    }
  });

  it('ends with its event [FREE-3]', async () => {
    const { eventId, visitor } = await freeEvent(app);
    const order = await reserve(app, eventId);
    await order.send('late@example.com');
    const code = await orderCodeFor(app, 'late@example.com');
    expectOk(await visitor.call(cancelEvent, { eventId }));

    expect(await order.confirm(code)).toMatchObject({ status: 409 });
    expect(await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute()).toEqual([]);
  });

  it('leads its own browser back to its page', async () => {
    const { eventId } = await freeEvent(app);
    const { buyer, url } = await reserve(app, eventId);
    expect(expectOk(await buyer.call(openCheckouts, {})).checkouts).toMatchObject([{ sessionId: null, url }]);
  });
});

describe('a code', () => {
  it('ends after 5 wrong ones, and the order with its third [FREE-3]', async () => {
    const { eventId } = await freeEvent(app);
    const order = await reserve(app, eventId);
    for (let sent = 1; sent <= 3; sent++) {
      await app.advance({ seconds: 31 });
      expectOk(await order.send('typo@example.com'));
      const code = await orderCodeFor(app, 'typo@example.com');
      for (let attempt = 1; attempt < WRONG_CODES_MAX; attempt++)
        expect(await order.confirm(wrong(code))).toMatchObject({
          body: { code: 'free-order.wrong-code', params: { left: WRONG_CODES_MAX - attempt } },
        });
      expect((await order.confirm(wrong(code))).body.code).toBe(
        sent < 3 ? 'free-order.wrong-code' : 'free-order.codes-used-up',
      );
      expect((await order.confirm(code)).status).toBe(409);
    }
    expect(await order.read()).toMatchObject({ status: 'expired' });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('is the same when it is sent again, twice at most, and nothing is sent within 30 seconds [FREE-3]', async () => {
    const { eventId } = await freeEvent(app);
    const order = await reserve(app, eventId);
    const email = 'again@example.com';
    expectOk(await order.send(email));
    expectOk(await order.send(email));
    expect(await emailsTo(app, email)).toHaveLength(1);
    const code = await orderCodeFor(app, email);

    for (const _again of [1, 2]) {
      await app.advance({ seconds: 31 });
      expectOk(await order.send(email));
    }
    expect((await emailsTo(app, email)).map(({ subject }) => subject.slice(0, 6))).toEqual([code, code, code]);
    await app.advance({ seconds: 31 });
    expect(await order.send(email)).toMatchObject({ status: 409, body: { code: 'free-order.too-many-codes' } });
    expectOk(await order.confirm(code));
  });

  it('goes to a corrected address, and the first one is forgotten [FREE-3]', async () => {
    const { eventId } = await freeEvent(app);
    const order = await reserve(app, eventId);
    expectOk(await order.send('sma@example.com'));
    const first = await orderCodeFor(app, 'sma@example.com');
    const old = await tokenFor('sma@example.com');
    expectOk(await order.send('sam-2@example.com'));

    expect((await order.confirm(first)).status).toBe(409);
    expect((await order.open(old)).status).toBe(409);
    expectOk(await order.confirm(await orderCodeFor(app, 'sam-2@example.com')));
    const paid = app.db.selectFrom('orders').where('eventId', '=', eventId).select('buyerEmail');
    expect(await paid.execute()).toEqual([{ buyerEmail: 'sam-2@example.com' }]);
  });

  it('is not sent to a bot that fills in the hidden field', async () => {
    const { eventId } = await freeEvent(app);
    const { buyer, handle } = await reserve(app, eventId);
    expectOk(await buyer.call(sendOrderCode, { handle, email: 'bot@example.com', honeypot: 'x' }));
    expect(await emailsTo(app, 'bot@example.com')).toEqual([]);
  });
});

describe('an address', () => {
  it('gets free tickets of an event once, and only its inbox says so [FREE-5]', async () => {
    const { eventId } = await freeEvent(app);
    const { details } = await takeFreeTickets(app, eventId, generalAdmission(1), { email: 'one@example.com' });
    const [again, new_] = [await reserve(app, eventId), await reserve(app, eventId)];

    const [known, unknown] = [await again.send('One@example.com'), await new_.send('new@example.com')];

    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    const own = { sentTo: null, reservedUntil: null };
    expect({ ...known.body.order, ...own }).toEqual({ ...unknown.body.order, ...own });
    const message = (await emailsTo(app, 'One@example.com')).find(({ subject }) => /already/.test(subject));
    expect(message?.text).toContain(`/order/${details?.token}`);
    expect(await again.confirm('000000')).toMatchObject({ body: { code: 'free-order.wrong-code' } });
    const other = await freeEvent(app);
    await takeFreeTickets(app, other.eventId, generalAdmission(1), { email: 'one@example.com' });
  });

  it('gets them once, also when two of its orders are confirmed at the same time [FREE-5]', async () => {
    const { eventId } = await freeEvent(app);
    const orders = [await reserve(app, eventId), await reserve(app, eventId)];
    const codes: string[] = [];
    for (const order of orders) {
      expectOk(await order.send('twice@example.com'));
      codes.push(await orderCodeFor(app, 'twice@example.com'));
    }

    const replies = await raceForLock(
      app,
      // Issuing the tickets waits for it, after the orders of the address were looked up.
      sql`select from ticket_types where event_id = ${eventId} for update`,
      orders.map((order, index) => () => order.confirm(codes[index] ?? '')),
    );

    expect(replies.map(({ body }) => body.code ?? 'confirmed').sort()).toEqual(['confirmed', 'free-order.has-tickets']);
    expect(await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute()).toHaveLength(1);
  });

  it('gets them again after returning all of them, and where the organizer allows it [FREE-5]', async () => {
    const email = 'returning@example.com';
    const { eventId } = await freeEvent(app);
    const taken = await takeFreeTickets(app, eventId, generalAdmission(1), { email });
    const [confirmationCode = ''] = codesOf(taken);
    expectOk(await app.call(requestRefund, { eventId, confirmationCode }));
    await takeFreeTickets(app, eventId, generalAdmission(1), { email });

    await app.db.updateTable('events').set({ allowsRepeatedFreeOrders: true }).where('id', '=', eventId).execute();
    await takeFreeTickets(app, eventId, generalAdmission(1), { email });
  });

  it('needs no code again in the browser that proved it, for a day [FREE-7]', async () => {
    const email = 'regular@example.com';
    const [first, second, third] = [await freeEvent(app), await freeEvent(app), await freeEvent(app)];
    const { buyer, handle } = await reserve(app, first.eventId);
    await proveAddress(app, buyer, { handle, email });
    const order = async (eventId: string, visitor: typeof buyer, address = email) => {
      const page = expectOk(await visitor.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) }));
      return expectOk(await visitor.call(sendOrderCode, { handle: page.id, email: address })).sessionId;
    };

    expect(await order(second.eventId, buyer, 'Regular@example.com')).toMatch(/^free_/);
    expect(await order(third.eventId, buyer, 'other-1@example.com')).toBeNull();
    expect(await order(third.eventId, app.visitor())).toBeNull();
    const page = expectOk(
      await buyer.call(createCheckoutSession, { eventId: second.eventId, cartItems: generalAdmission(1) }),
    );
    expect(await buyer.call(sendOrderCode, { handle: page.id, email })).toMatchObject({
      status: 409,
      body: { code: 'free-order.has-tickets' },
    });

    await app.advance({ hours: 22 });
    const late = await freeEvent(app);
    await app.advance({ hours: 2 });
    expect(await order(late.eventId, buyer)).toBeNull();
  });
});

describe('a mistyped address', () => {
  it('opens nothing once the buyer used another one that this browser proved [FREE-7]', async () => {
    const email = 'proved-before@example.com';
    const [first, second] = [await freeEvent(app), await freeEvent(app)];
    const { buyer, handle } = await reserve(app, first.eventId);
    await proveAddress(app, buyer, { handle, email });
    const { id } = expectOk(
      await buyer.call(createCheckoutSession, { eventId: second.eventId, cartItems: generalAdmission(1) }),
    );
    const send = (address: string) => buyer.call(sendOrderCode, { handle: id, email: address });
    expectOk(await send('mistyped@example.com'));
    const code = await orderCodeFor(app, 'mistyped@example.com');
    const [message] = await emailsTo(app, 'mistyped@example.com');
    const [, link = '', token = ''] = /\/checkout\/(\S+)\?token=(\S+)/.exec(message?.text ?? '') ?? [];
    expect(expectOk(await send(email)).sessionId).toMatch(/^free_/);

    const stranger = app.visitor();
    for (const shown of [{ code }, { token }])
      expect(await stranger.call(confirmFreeOrder, { handle: link, ...shown })).toMatchObject({
        status: 409,
        body: { code: 'free-order.confirmed' },
      });
  });

  it('gets a link that shows no other address and cannot replace it [FREE-3]', async () => {
    const { eventId } = await freeEvent(app);
    const order = await reserve(app, eventId);
    expectOk(await order.send('typo@example.com'));
    await app.settle();
    const [message] = await emailsTo(app, 'typo@example.com');
    const [, link = ''] = /\/checkout\/([^\s?]+)/.exec(message?.text ?? '') ?? [];
    expectOk(await order.send('right@example.com'));

    const stranger = app.visitor();
    expect(expectOk(await stranger.call(readCheckoutPage, { handle: link }))).toMatchObject({ sentTo: null });
    expect(await stranger.call(sendOrderCode, { handle: link, email: 'typo@example.com' })).toMatchObject({
      status: 404,
      body: { code: 'checkout.unknown' },
    });
    expectOk(await order.confirm(await orderCodeFor(app, 'right@example.com')));
  });
});
