/** The checkout, attacked by buyers who underpay, take what is not for sale, or block others. */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as contract from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { readCheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { confirmFreeOrder, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { reservedOf, stripeObjectsOf } from '#tests/support/money.ts';
import { eventOnSale, expectOk, generalAdmission, openCheckout, orderCodeFor } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

const recordFile = join(tmpdir(), `public-checkout-${crypto.randomUUID()}.jsonl`);
let app: TestApp;
withTestApp(
  (opened) => {
    app = opened;
  },
  { recordFile },
);

let event: Awaited<ReturnType<typeof eventOnSale>>;
let other: Awaited<ReturnType<typeof eventOnSale>>;
const ticket = (ticketName: string, ticketPrice: number, ticketQuantity: number) => ({
  ticketName,
  ticketDescription: 'A ticket',
  ticketPrice,
  ticketQuantity,
});
beforeAll(async () => {
  event = await eventOnSale(app, {
    tickets: [
      ticket('General admission', 24, 200),
      ticket('Balcony', 38.5, 10),
      ticket('Box', 50_000, 50),
      ticket('Child', 0, 10),
    ],
  });
  other = await eventOnSale(app);
});

const ask = (cartItems: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  app.server.inject({
    method: 'POST',
    url: contract.createCheckoutSession.path,
    payload: { eventId: event.eventId, cartItems, ...more },
    headers,
  });
const line = (change: object = {}) => ({ ticketName: 'General admission', quantity: 1, ...change });
const lines = (count: number, change: object = {}) => Array.from({ length: count }, () => line(change));
const typeOf = async (eventId: string) =>
  (await app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).select('id').executeTakeFirstOrThrow()).id;

async function sideEffects() {
  return [await reservedOf(app, event.eventId), (await stripeObjectsOf(app, 'checkout.session', event.eventId)).length];
}

describe('POST /api/public/create-checkout-session', () => {
  it.each<[string, unknown, number]>([
    ['a lower price', [line({ ticketPrice: 0.5 })], 409],
    ['a price of 0', [line({ ticketPrice: 0 })], 409],
    ['a negative price', [line({ ticketPrice: -24 })], 409],
    ['a price as text', [line({ ticketPrice: '24' })], 400],
    ['another name', [line({ ticketName: 'Backstage' })], 409],
    ['no name', [{ quantity: 1 }], 400],
    ['a name that every object has as a property', [line({ ticketName: '__proto__' })], 409],
    ['quantity 0', [line({ quantity: 0 })], 400],
    ['a negative quantity', [line({ quantity: -1 })], 400],
    ['a fractional quantity', [line({ quantity: 1.5 })], 400],
    ['a quantity as text', [line({ quantity: '2' })], 400],
    ['a quantity in a list', [line({ quantity: [2] })], 400],
    ['no quantity', [line({ quantity: Number.NaN })], 400],
    ['a quantity of a billion', [line({ quantity: 1e9 })], 409],
    ['a quantity beyond integer precision', [line({ quantity: 2 ** 53 })], 400],
    ['a negative line that lowers the total', [line({ quantity: 3 }), line({ quantity: -2 })], 400],
    ['one ticket too many across two lines', [line({ quantity: 60 }), line({ quantity: 41 })], 409],
    [
      'two lines that exceed the stock',
      [line({ ticketName: 'Balcony', quantity: 6 }), line({ ticketName: 'balcony ', quantity: 5 })],
      409,
    ],
    ['no lines', [], 409],
    ['51 lines', lines(51), 400],
    ['lines in an object', { 0: line(), length: 1 }, 400],
    ['null for lines', null, 400],
    ['twenty tickets at fifty thousand dollars', [line({ ticketName: 'Box', quantity: 20 })], 409],
  ])('rejects a cart with %s, reserves nothing and opens no payment page', async (_what, cartItems, status) => {
    const before = await sideEffects();

    const reply = await ask(cartItems);

    expect(reply.statusCode).toBe(status);
    expect(Object.keys(reply.json())).toEqual(['code', 'params', 'msg']);
    expect(await sideEffects()).toEqual(before);
  });

  it('sells no ticket of another event, and none named like an object property', async () => {
    const foreign = await typeOf(other.eventId);
    const before = await sideEffects();

    expect((await ask([line({ ticketId: foreign })])).statusCode).toBe(409);
    expect((await ask([line({ ticketId: `${foreign}' or '1'='1` })])).statusCode).toBe(409);
    expect(await sideEffects()).toEqual(before);
    expect(await reservedOf(app, other.eventId)).toBe(0);
  });

  it('answers for an unknown event like its page', async () => {
    for (const eventId of ['no-such-event-00', '', '%', event.eventId.slice(1)]) {
      const reply = await ask([line()], { eventId });
      expect([reply.statusCode, reply.body]).toEqual([404, JSON.stringify(errorBody('event.not-found'))]);
    }
    expect((await ask([line()], { eventId: [event.eventId] })).statusCode).toBe(400);
  });

  it('returns to our own URL and charges our price, whatever the request says', async () => {
    const poisoned = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const wishes = {
      success_url: 'https://evil.example',
      cancel_url: 'https://evil.example',
      currency: 'jpy',
      amount: 1,
    };

    const reply = await ask(
      [line({ unitAmount: 1, price: 0.01, ...wishes })],
      { ...wishes, orderId: 'mine', status: 'paid' },
      poisoned,
    );

    expect(Object.keys(reply.json()).sort()).toEqual(['id', 'url']);
    const { id }: { id: string } = reply.json();
    const { rows } = await sql<{ success: string; cancel: string; total: string; currency: string }>`
      select body->>'success_url' as success, body->>'cancel_url' as cancel, body->>'amount_total' as total,
             body->>'currency' as currency
        from sandbox.objects where id = ${id}`.execute(app.db);
    expect(rows).toEqual([
      {
        success: `${app.publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel: expect.stringMatching(new RegExp(`^${app.publicUrl}/payment/${event.eventId}`)),
        total: '2400',
        currency: 'usd',
      },
    ]);
    expect(reply.body).not.toContain('evil');
  });

  it('reserves the tickets of a cart once, however often it is sent', async () => {
    const [before] = await sideEffects();
    const cart = { cartId: crypto.randomUUID() };

    const replies = await Promise.all(Array.from({ length: 8 }, () => ask([line({ quantity: 2 })], cart)));

    for (const reply of replies) expect(reply.statusCode).toBe(200);
    expect((await sideEffects())[0]).toBe((before ?? 0) + 2);
  });

  it('issues free tickets only after an address was entered and proved', async () => {
    const { buyer, sessionId: handle } = await openCheckout(app, event.eventId, [{ ticketName: 'Child', quantity: 1 }]);
    const issued = async () => (await buyer.call(readCheckoutPage, { handle })).body.status;

    expect((await buyer.call(sendOrderCode, { handle, email: '' })).status).toBe(400);
    expectOk(await buyer.call(sendOrderCode, { handle, email: 'parent@example.com' }));
    expect((await buyer.call(confirmFreeOrder, { handle, code: '' })).status).toBe(400);
    expect((await buyer.call(contract.checkoutSession, { sessionId: handle })).status).toBe(404);
    expect(await issued()).toBe('open');

    const code = await orderCodeFor(app, 'parent@example.com');
    expectOk(await buyer.call(confirmFreeOrder, { handle, code }));
    expect(await issued()).toBe('confirmed');
  });

  it('sells nothing for an event that is cancelled or over', async () => {
    const [cancelled, over] = [await eventOnSale(app), await eventOnSale(app)];
    await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId });
    await app.db
      .updateTable('events')
      .set({
        startsAt: new Date(app.now().getTime() - 7_200_000),
        endsAt: new Date(app.now().getTime() - 3_600_000),
      })
      .where('id', '=', over.eventId)
      .execute();
    await app.deps.changes.catchUp();

    for (const { eventId } of [cancelled, over]) {
      expect((await ask([line()], { eventId })).statusCode).toBe(409);
      expect(await reservedOf(app, eventId)).toBe(0);
    }
  });
});

describe('GET /api/public/checkout-session', () => {
  const getSession = (sessionId: string) =>
    app.server.inject(`${contract.checkoutSession.path}?sessionId=${sessionId}`);

  async function readsOf(sessionId: string): Promise<number> {
    const exchanges = (await readFile(recordFile, 'utf8')).split('\n');
    return exchanges.filter(
      (one) => one.includes('"method":"GET"') && one.includes(`/v1/checkout/sessions/${sessionId}`),
    ).length;
  }

  it('asks Stripe about a session once in ten seconds, however often a stranger polls', async () => {
    const { sessionId } = await openCheckout(app, event.eventId, generalAdmission(1));

    const standing = vi.spyOn(app.deps.clock, 'now').mockReturnValue(app.now());
    const replies = await Promise.all(Array.from({ length: 20 }, () => getSession(sessionId)));
    for (let times = 0; times < 20; times++) replies.push(await getSession(sessionId));
    expect(await readsOf(sessionId)).toBe(1);
    standing.mockRestore();

    for (const reply of replies) expect(reply.json()).toMatchObject({ confirmationData: [], order: null });
    // Only the poll that asked Stripe knows; the others must not say that a buyer has not paid.
    const statuses = replies.map((reply) => reply.json<{ status: string }>().status);
    expect(statuses.filter((status) => status === 'unpaid')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'processing')).toHaveLength(39);
    await app.advance({ seconds: 10 });
    expect((await getSession(sessionId)).json()).toMatchObject({ status: 'unpaid' });
    expect(await readsOf(sessionId)).toBe(2);
  });

  it('reveals no number before the payment, and does not ask about unknown sessions', async () => {
    const checkout = await openCheckout(app, event.eventId, generalAdmission(1));
    expect(JSON.stringify(await checkout.poll())).not.toMatch(/\d{10}/);

    expect((await getSession('cs_test_of_another_site')).statusCode).toBe(404);
    expect(await readsOf('cs_test_of_another_site')).toBe(0);
  });
});
