import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());

const HOUR = 3600;
const unix = async () => {
  const clock: unknown = await (await sandbox.api('/_sandbox/clock')).json();
  return typeof clock === 'object' && clock && 'unix' in clock ? Number(clock.unix) : Number.NaN;
};

describe('the clock', () => {
  it('only moves forward', async () => {
    const before = await unix();
    await sandbox.control('clock', { advance_seconds: 100 });
    expect((await unix()) - before).toBeGreaterThanOrEqual(100);
    await sandbox.control('clock', { set: new Date((before + 200) * 1000).toISOString() });
    expect((await unix()) - before).toBeGreaterThanOrEqual(200);
    await expect(sandbox.control('clock', { set: before })).rejects.toThrow('only moves forward');
    await expect(sandbox.control('clock', { advance_seconds: -1 })).rejects.toThrow();
    await expect(sandbox.control('clock', { backwards: 1 })).rejects.toThrow();
  });

  it('runs due work in order', async () => {
    const session = await sandbox.openSession();
    const paid = await sandbox.openSession();
    await sandbox.pay(paid.url ?? '');
    await sandbox.sandbox.idle();
    sandbox.received.length = 0;

    await sandbox.control('clock', { advance_seconds: 3 * 24 * HOUR });

    expect(sandbox.eventTypes()).toEqual(['checkout.session.expired', 'balance.available']);
    const [expired, available] = sandbox.received.map((received) => sandbox.verified(received).created);
    expect(expired).toBe(session.expires_at);
    expect(Number(available) - session.created).toBeLessThanOrEqual(2 * 24 * HOUR + 2);
    expect((await sandbox.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
    expect((await sandbox.stripe.balance.retrieve()).pending[0]?.amount).toBe(0);
  });

  it('rejects payment of an overdue session that is not marked as expired yet', async () => {
    const session = await sandbox.openSession();
    await sandbox.pool.query(
      `update sandbox.objects set body = jsonb_set(body::jsonb, '{expires_at}', '1')::json where id = $1`,
      [session.id],
    );

    expect((await sandbox.pay(session.url ?? '')).status).not.toBe(303);
    expect(await sandbox.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'expired',
      payment_intent: null,
    });
  });

  it('cannot be moved by a web page', async () => {
    const response = await sandbox.api('/_sandbox/clock', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: '{"advance_seconds":1}',
    });

    expect(response.status).toBe(403);
  });

  it('expires an idempotency key after a day', async () => {
    const once = () =>
      sandbox.stripe.checkout.sessions.create(
        {
          mode: 'payment',
          success_url: 'http://localhost/',
          line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 100, product_data: { name: 'x' } } }],
        },
        { idempotencyKey: 'day' },
      );
    const first = await once();
    expect((await once()).id).toBe(first.id);

    await sandbox.control('clock', { advance_seconds: 24 * HOUR + 1 });

    expect((await once()).id).not.toBe(first.id);
  });
});
