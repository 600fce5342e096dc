/** One anonymous client that wants a whole sale, and a crowd behind one address that wants to buy. The real server, with its defaults. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { openDatabase, openPool } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { reservedOf } from '#tests/support/money.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import { eventForm, eventOnSale, expectOk, generalAdmission, pay, type Site } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { inMinutes, join } from '#tests/support/waiting-room.ts';

const UNPAID_MAX = 20;
const PASSES_MAX = 8;
const TICKETS = 1_000;
const START_MINUTES = 10;

let product: Product;
let site: Site;
beforeAll(async () => {
  product = await startProduct({ TRUST_PROXY: '1' });
  site = siteOf(product);
});
afterAll(() => product.remove());

async function saleOfAThousand(change: Parameters<typeof eventForm>[1] = {}): Promise<string> {
  const [hall] = eventForm(site).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  return (await eventOnSale(site, { tickets: [{ ...hall, ticketQuantity: TICKETS }], ...change })).eventId;
}

const checkOut = (address: string, eventId: string, quantity: number) =>
  site
    .visitor({ address })
    .call(createCheckoutSession, { eventId, cartId: newId(), cartItems: generalAdmission(quantity) });

async function buy(address: string, eventId: string, quantity: number, email: string): Promise<string> {
  const { id: sessionId, url } = expectOk(await checkOut(address, eventId, quantity));
  // The sandbox's payment page is Stripe's: it doesn't stand behind the product's proxy.
  await pay(site.visitor(), url, email);
  // A busy server may answer before it has read the payment.
  return vi.waitFor(
    async () => {
      const { status } = expectOk(await site.call(checkoutSession, { sessionId }));
      expect(['unpaid', 'processing']).not.toContain(status);
      return status;
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function takenOf(eventId: string): Promise<number> {
  const pool = openPool(await product.databaseAddress(), () => {});
  try {
    return await reservedOf({ db: openDatabase(pool) }, eventId);
  } finally {
    await pool.end();
  }
}

describe('one network that reserves all it can', () => {
  it('gets 20 of 1,000 tickets, keeps them through a restart, and leaves the rest to others [RES-1]', async () => {
    const eventId = await saleOfAThousand();

    const attempts = [];
    for (let n = 0; n < 60; n++) attempts.push(await checkOut(`203.0.113.${n}`, eventId, 4));
    expect(attempts.filter(({ status }) => status === 200)).toHaveLength(UNPAID_MAX / 4);
    expect(new Set(attempts.slice(5).map(({ body }) => body.code))).toEqual(new Set(['checkout.network-limit']));

    await product.restart();
    expect(await checkOut('203.0.113.77', eventId, 4)).toMatchObject({ status: 409 });
    expect(await buy('198.51.100.1', eventId, 4, 'sam@example.com')).toBe('confirmed');
    expect(await takenOf(eventId)).toBe(UNPAID_MAX + 4);
  });

  it('gets 8 of the passes in the draw, and nobody waits behind more [ROOM-2]', async () => {
    const salesStart = inMinutes(site, START_MINUTES);
    const sale = { salesStart, useWaitingRoom: true, buyersPerMinute: 300 };
    const eventId = await saleOfAThousand(sale);

    const attempts = [];
    for (let n = 0; n < 120; n++) attempts.push(await join(site.visitor({ address: `203.0.113.${n}` }), eventId));
    expect(attempts.filter(({ status }) => status === 200)).toHaveLength(PASSES_MAX);
    expect(new Set(attempts.slice(PASSES_MAX).map(({ body }) => body.code))).toEqual(
      new Set(['waiting-room.network-limit']),
    );

    const buyers = Array.from({ length: 12 }, (_, n) => site.visitor({ address: `198.51.${n}.1` }));
    for (const buyer of buyers) expectOk(await join(buyer, eventId));
    await moveClock(product.sandboxUrl, START_MINUTES * 60);
    const positions = await Promise.all(buyers.map(async (buyer) => (await join(buyer, eventId)).body.position));
    expect(Math.max(...positions.map(Number))).toBeLessThanOrEqual(buyers.length + PASSES_MAX);
  });
});

describe('a crowd behind one address', () => {
  it('buys, because each payment makes room for the next buyer [RES-1]', async () => {
    const eventId = await saleOfAThousand();
    const address = '192.0.2.1';
    let waiting = Array.from({ length: 40 }, (_, n) => `buyer-${n}@example.com`);

    // Ten at a time open a payment page with two tickets each, and pay in any order.
    while (waiting.length > 0) {
      const buying = waiting.slice(0, 10);
      waiting = waiting.slice(10);
      const statuses = await Promise.all(buying.map((email) => buy(address, eventId, 2, email)));
      expect(statuses).toEqual(Array(10).fill('confirmed'));
    }
    expect(await takenOf(eventId)).toBe(80);
  });
});
