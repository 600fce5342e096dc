/** How many free tickets unconfirmed orders hold, and how long. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { FREE_ORDER_MINUTES } from '#domain/reservation-times.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { freeEvent, freeTicket, reserve } from '#tests/support/free-orders.ts';
import { reservedOf } from '#tests/support/money.ts';
import { eventOnSale, expectOk, generalAdmission, orderCodeFor, proveAddress } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: 1 });
});
afterAll(() => app.close());

const release = () => releaseExpired(app.deps, { wait: true });

const poll = async (order: Awaited<ReturnType<typeof reserve>>) => {
  await order.read();
  await checkoutQueueOf(app.deps.db).flushPolls();
};

describe('the tickets of an unconfirmed order', () => {
  it('are kept while the page is open, for 15 minutes at most [FREE-4]', async () => {
    const { eventId } = await freeEvent(app);
    const order = await reserve(app, eventId);
    for (let minutes = 1; minutes < FREE_ORDER_MINUTES; minutes++) {
      await app.advance({ minutes: 1 });
      await poll(order);
      await release();
      expect(await order.read()).toMatchObject({ status: 'open' });
    }

    await app.advance({ minutes: 1 });
    await poll(order);
    await release();
    expect(await order.read()).toMatchObject({ status: 'expired' });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('are released within 3 minutes once the page is closed, unless a code was sent [FREE-4]', async () => {
    const { eventId } = await freeEvent(app);
    const [left, waiting] = [await reserve(app, eventId, 2), await reserve(app, eventId, 3)];
    await waiting.send('slow@example.com');
    const code = await orderCodeFor(app, 'slow@example.com');

    await app.advance({ minutes: 3 });
    await release();
    expect([(await left.read()).status, (await waiting.read()).status]).toEqual(['expired', 'open']);
    expect(await reservedOf(app, eventId)).toBe(3);

    await app.advance({ minutes: FREE_ORDER_MINUTES - 3 });
    await release();
    expect(await waiting.confirm(code)).toMatchObject({ status: 409, body: { code: 'checkout.reservation-expired' } });
    expect(await waiting.send('slow@example.com')).toMatchObject({ body: { code: 'checkout.reservation-expired' } });
    expect(await reservedOf(app, eventId)).toBe(0);
  });
});

describe('a flood of invented addresses', () => {
  it('holds 20 tickets a network and nothing after 15 minutes, while real buyers get theirs [FREE-4 FREE-5]', async () => {
    const limited = await startTestApp({ trustedProxies: 1, rateLimitScale: 1 });
    try {
      const { eventId } = await eventOnSale(limited, { tickets: [{ ...freeTicket, ticketQuantity: 500 }] });
      let refused = 0;
      for (let n = 0; n < 300; n++) {
        const address = `203.0.${n % 15}.7`;
        const bot = limited.visitor({ address });
        const reply = await bot.call(createCheckoutSession, { eventId, cartItems: generalAdmission(2) });
        if (reply.status === 200)
          await bot.call(sendOrderCode, { handle: reply.body.id, email: `invented-${n}@example.com` });
        else refused += 1;
      }
      expect(refused).toBe(150);
      expect(await reservedOf(limited, eventId)).toBe(15 * 20);

      const real = await reserveAt(eventId);
      await proveAddress(limited, real.buyer, { handle: real.handle, email: 'real@example.com' });
      await limited.advance({ minutes: FREE_ORDER_MINUTES });
      await releaseExpired(limited.deps, { wait: true });
      expect(await reservedOf(limited, eventId)).toBe(1);
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from tickets where event_id = ${eventId}`.execute(limited.db);
      expect(rows).toEqual([{ n: 1 }]);
    } finally {
      await limited.close();
    }

    async function reserveAt(eventId: string) {
      const buyer = limited.visitor({ address: '198.51.100.7' });
      const page = await buyer.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
      return { buyer, handle: expectOk(page).id };
    }
  });
});
