/** A free event from its sale to the door: a crowd of which every fifth mistypes the code, and a script that tries 10,000 addresses. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { confirmFreeOrder, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { ORDER_CODES_MAX } from '#domain/sales/free-orders.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { emailsTo, eventOnSale, expectOk, generalAdmission, orderCodeFor } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const BUYERS = 40;
const TRIED = 10_000;
const AT_ONCE = 50;

/** As `UNPAID_TICKETS_PER_NETWORK` is by default. */
const HELD_MAX = 20;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: 1, rateLimitScale: 1 });
});
afterAll(() => app.close());

const buyerOf = (n: number) => `buyer-${n}@example.com`;
const triedBy = (n: number) => `tried-${n}@example.com`;

async function reserve(eventId: string, address: string) {
  const browser = app.visitor({ address });
  const reply = await browser.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
  return { browser, handle: reply.status === 200 ? reply.body.id : null };
}

async function order(eventId: string, n: number): Promise<void> {
  const { browser, handle } = await reserve(eventId, `198.51.${n}.7`);
  if (handle === null) throw new Error('a buyer reserved no ticket');
  expectOk(await browser.call(sendOrderCode, { handle, email: buyerOf(n) }));
  const code = await orderCodeFor(app, buyerOf(n));
  if (n % 5 === 0) {
    const mistyped = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(await browser.call(confirmFreeOrder, { handle, code: mistyped })).toMatchObject({ status: 409 });
  }
  expectOk(await browser.call(confirmFreeOrder, { handle, code }));
}

/** From one network. Returns how many of its calls were answered. */
async function tryAddresses(eventId: string): Promise<number> {
  const orders = [];
  for (let n = 0; n < 2 * HELD_MAX; n++) orders.push(await reserve(eventId, '203.0.113.7'));
  const held = orders.flatMap(({ browser, handle }) => (handle === null ? [] : [{ browser, handle }]));
  expect(held).toHaveLength(HELD_MAX);
  let answered = 0;
  for (let first = 0; first < TRIED; first += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, async (_, n) => {
      const own = held[(first + n) % held.length];
      return own?.browser.call(sendOrderCode, { handle: own.handle, email: triedBy(first + n) });
    });
    for (const reply of await Promise.all(calls)) if (reply?.status === 200) answered += 1;
  }
  return answered;
}

it('gives no address two tickets, and a script none [FREE-3 FREE-5]', async () => {
  const { eventId } = await eventOnSale(app, {
    tickets: [
      { ticketName: 'General admission', ticketDescription: 'Come in', ticketPrice: 0, ticketQuantity: 2 * BUYERS },
    ],
  });
  const script = tryAddresses(eventId);
  for (let n = 0; n < BUYERS; n++) await order(eventId, n);
  const answered = await script;
  // The same buyers again, from elsewhere.
  for (let n = 0; n < BUYERS; n += 5) {
    const { browser, handle } = await reserve(eventId, `192.0.2.${n}`);
    expectOk(await browser.call(sendOrderCode, { handle: handle ?? '', email: buyerOf(n) }));
    const [newest] = await emailsTo(app, buyerOf(n));
    expect(newest?.subject).not.toMatch(/^\d{6}/);
  }

  expect(answered).toBeLessThanOrEqual(HELD_MAX * ORDER_CODES_MAX);
  const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('buyerEmail').execute();
  expect(tickets.map(({ buyerEmail }) => buyerEmail).sort()).toEqual(
    Array.from({ length: BUYERS }, (_, n) => buyerOf(n)).sort(),
  );
  expect(await brokenInvariants(app.db)).toEqual([]);
});
