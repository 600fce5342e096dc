import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorld } from '#tests/support/sandbox-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await TestWorld.open();
});
afterAll(() => world.close());

const HOUR = 3600;
const unix = async () => {
  const clock: unknown = await (await world.api('/_sandbox/clock')).json();
  return typeof clock === 'object' && clock && 'unix' in clock ? Number(clock.unix) : Number.NaN;
};

describe('the clock', () => {
  it('moves forward only', async () => {
    const before = await unix();
    await world.control('clock', { advance_seconds: 100 });
    expect((await unix()) - before).toBeGreaterThanOrEqual(100);
    await world.control('clock', { set: new Date((before + 200) * 1000).toISOString() });
    expect((await unix()) - before).toBeGreaterThanOrEqual(200);
    await expect(world.control('clock', { set: before })).rejects.toThrow('forward only');
    await expect(world.control('clock', { advance_seconds: -1 })).rejects.toThrow();
    await expect(world.control('clock', { backwards: 1 })).rejects.toThrow();
  });

  it('brings about what falls due, in the order of its moments', async () => {
    const session = await world.openSession();
    const paid = await world.openSession();
    await world.pay(paid.url ?? '');
    await world.sandbox.idle();
    world.received.length = 0;

    await world.control('clock', { advance_seconds: 3 * 24 * HOUR });

    expect(world.eventTypes()).toEqual(['checkout.session.expired', 'balance.available']);
    const [expired, available] = world.received.map((received) => world.verified(received).created);
    expect(expired).toBe(session.expires_at);
    expect(Number(available) - session.created).toBeLessThanOrEqual(2 * 24 * HOUR + 2);
    expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
    expect((await world.stripe.balance.retrieve()).pending[0]?.amount).toBe(0);
  });

  it('lets nobody pay a session whose time is over, before the expiry has been booked', async () => {
    const session = await world.openSession();
    await world.pool.query(
      `update sandbox.objects set body = jsonb_set(body::jsonb, '{expires_at}', '1')::json where id = $1`,
      [session.id],
    );

    expect((await world.pay(session.url ?? '')).status).not.toBe(303);
    expect(await world.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'expired',
      payment_intent: null,
    });
  });

  it('is not moved by a web page', async () => {
    const response = await world.api('/_sandbox/clock', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: '{"advance_seconds":1}',
    });

    expect(response.status).toBe(403);
  });

  it('lets an idempotency key go after a day', async () => {
    const once = () =>
      world.stripe.checkout.sessions.create(
        {
          mode: 'payment',
          success_url: 'http://localhost/',
          line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 100, product_data: { name: 'x' } } }],
        },
        { idempotencyKey: 'day' },
      );
    const first = await once();
    expect((await once()).id).toBe(first.id);

    await world.control('clock', { advance_seconds: 24 * HOUR + 1 });

    expect((await once()).id).not.toBe(first.id);
  });
});
