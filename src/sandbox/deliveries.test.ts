import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_KEY, TestWorld, WEBHOOK_SECRET } from '#tests/support/sandbox-world.ts';

let world: TestWorld;
let recordFile = '';
beforeAll(async () => {
  recordFile = join(await mkdtemp(join(tmpdir(), 'sandbox-record-')), 'exchanges.jsonl');
  world = await TestWorld.open({ recordFile });
});
afterEach(async () => {
  world.receiverStatus = 200;
  await world.api('/_sandbox/faults', { method: 'DELETE' });
  await world.sandbox.idle();
  world.received.length = 0;
});
afterAll(async () => {
  await world.close();
  await rm(dirname(recordFile), { recursive: true });
});

const completed = () => world.received.filter(({ payload }) => payload.includes('"checkout.session.completed"'));

const freeOrder = async () => {
  const session = await world.openSession([{ name: 'Free', cents: 0, quantity: 1 }]);
  await world.submit(session.url ?? '', { email: 'a@b.co' });
  return session;
};

describe('webhooks', () => {
  it('are repeated until they are accepted, at growing distances', async () => {
    world.receiverStatus = 500;
    await freeOrder();
    await world.sandbox.idle();
    expect(completed()).toHaveLength(1);

    await world.control('clock', { advance_seconds: 40 });
    expect(completed()).toHaveLength(4);
    expect((await world.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);

    world.receiverStatus = 200;
    await world.control('clock', { advance_seconds: 300 });
    expect(completed()).toHaveLength(5);
    await world.control('clock', { advance_seconds: 24 * 3600 });
    expect(completed()).toHaveLength(5);
    expect(new Set(completed().map(({ payload }) => payload)).size).toBe(1);
    expect((await world.stripe.events.list({ delivery_success: false })).data).toHaveLength(0);
  });

  it('are given up after three days', async () => {
    world.receiverStatus = 500;
    await freeOrder();
    await world.control('clock', { advance_seconds: 5 * 24 * 3600 });

    const tries = completed().length;
    expect(tries).toBeGreaterThan(70);
    await world.control('clock', { advance_seconds: 24 * 3600 });
    expect(completed()).toHaveLength(tries);
  });

  it('are sent by the next start when the process died between charge and webhook', async () => {
    await world.control('faults', { webhook: 'delay', ms: 600_000, times: 5 });
    const session = await world.openSession();
    await world.pay(session.url ?? '');
    await world.sandbox.idle();
    expect(completed()).toHaveLength(0);

    // As after kill -9: nothing but the rows is left.
    await world.stop();
    await world.pool.query(
      'update sandbox.deliveries set next_attempt_at = first_due_at where next_attempt_at is not null',
    );
    await world.start();
    await world.sandbox.idle();

    expect(completed()).toHaveLength(1);
    expect(world.eventTypes()).toHaveLength(5);
    expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
  });

  it.each([
    ['duplicate', 2],
    ['drop', 0],
  ] as const)('can be made to %s', async (webhook, times) => {
    await world.control('faults', { webhook });
    await freeOrder();
    await world.control('clock', { advance_seconds: 3600 });

    expect(completed()).toHaveLength(times);
  });

  it.each(['bad_signature', 'old_timestamp'] as const)('can carry a %s', async (webhook) => {
    await world.control('faults', { webhook });
    await freeOrder();
    await world.sandbox.idle();

    const [first] = completed();
    expect(() => first && world.verified(first)).toThrow();
  });

  it('can come in the wrong order', async () => {
    await world.control('faults', { webhook: 'reorder' });
    await world.pay((await world.openSession()).url ?? '');
    await world.sandbox.idle();

    expect(world.eventTypes()).toEqual([
      'charge.updated',
      'checkout.session.completed',
      'payment_intent.succeeded',
      'charge.succeeded',
      'payment_intent.created',
    ]);
  });
});

describe('calls', () => {
  const expire = async (id: string, key: string) =>
    world.client(SECRET_KEY).checkout.sessions.expire(id, {}, { idempotencyKey: key });
  const fault = (mode: string, more: object = {}) =>
    world.control('faults', { match: { method: 'POST', path: '/v1/checkout/sessions/*' }, mode, ...more });
  const statusOf = async (id: string) => (await world.stripe.checkout.sessions.retrieve(id)).status;

  it('fail before or after the work', async () => {
    const [before, after] = [await world.openSession(), await world.openSession()];

    await fault('error_before');
    await expect(expire(before.id, 'fb')).rejects.toMatchObject({ statusCode: 500 });
    expect(await statusOf(before.id)).toBe('open');
    expect((await expire(before.id, 'fb')).status).toBe('expired');

    await fault('error_after');
    await expect(expire(after.id, 'fa')).rejects.toMatchObject({ statusCode: 500 });
    expect(await statusOf(after.id)).toBe('expired');
    await expect(expire(after.id, 'fa')).rejects.toMatchObject({ statusCode: 500 });
  });

  it('lose their connection before or after the work, or half-way through the answer', async () => {
    for (const [mode, left] of [
      ['drop_before', 'open'],
      ['drop_after', 'expired'],
      ['truncate', 'expired'],
    ] as const) {
      const session = await world.openSession();
      // The SDK repeats a closed connection once by itself.
      await fault(mode, { times: 2 });
      await expect(expire(session.id, `c-${mode}`)).rejects.toMatchObject({ type: 'StripeConnectionError' });
      await world.api('/_sandbox/faults', { method: 'DELETE' });

      expect(await statusOf(session.id)).toBe(left);
      expect((await expire(session.id, `c-${mode}`)).status).toBe('expired');
    }
  });

  it('are slow, too many, or in each other’s way', async () => {
    const session = await world.openSession();
    await fault('status:429');
    await expect(expire(session.id, 'm')).rejects.toMatchObject({ type: 'StripeRateLimitError' });
    await fault('conflict');
    await expect(expire(session.id, 'm')).rejects.toMatchObject({ statusCode: 409 });

    await fault('slow', { ms: 300 });
    const started = Date.now();
    expect((await expire(session.id, 'm')).status).toBe('expired');
    expect(Date.now() - started).toBeGreaterThanOrEqual(290);
  });
});

describe('the recording', () => {
  it('has every exchange and every webhook, and no card number', async () => {
    const session = await world.openSession();
    await world.pay(session.url ?? '', '5555 5555 5555 4444');
    await world.sandbox.idle();
    await world.stop();
    const text = await readFile(recordFile, 'utf8');
    await world.start();
    const lines = text.trim().split('\n');

    const made = lines.find((line) => line.includes(session.id)) ?? '';
    expect(JSON.parse(made)).toMatchObject({ method: 'POST', path: '/v1/checkout/sessions', status: 200 });
    expect(made).toContain('mode=payment');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ secret: WEBHOOK_SECRET });
    expect(lines.at(-1)).toMatch(/"event":"[^"]+","payload":".*","signature":"t=\d+,v1=/);
    expect(text).not.toMatch(/5555.?5555/);
  });
});
