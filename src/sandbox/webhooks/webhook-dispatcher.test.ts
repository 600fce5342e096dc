import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_KEY, TestSandbox, WEBHOOK_SECRET } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
let recordFile = '';
beforeAll(async () => {
  recordFile = join(await mkdtemp(join(tmpdir(), 'sandbox-record-')), 'exchanges.jsonl');
  sandbox = await TestSandbox.open({ recordFile });
});
afterEach(async () => {
  sandbox.receiverStatus = 200;
  await sandbox.api('/_sandbox/faults', { method: 'DELETE' });
  await sandbox.sandbox.idle();
  sandbox.received.length = 0;
});
afterAll(async () => {
  await sandbox.close();
  await rm(dirname(recordFile), { recursive: true });
});

const completed = () => sandbox.received.filter(({ payload }) => payload.includes('"checkout.session.completed"'));

const freeOrder = async () => {
  const session = await sandbox.openSession([{ name: 'Free', cents: 0, quantity: 1 }]);
  await sandbox.submit(session.url ?? '', { email: 'a@b.co' });
  return session;
};

describe('webhooks', () => {
  it('are retried with growing delays until they are accepted', async () => {
    sandbox.receiverStatus = 500;
    await freeOrder();
    await sandbox.sandbox.idle();
    expect(completed()).toHaveLength(1);

    await sandbox.control('clock', { advance_seconds: 40 });
    expect(completed()).toHaveLength(4);
    expect((await sandbox.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);

    sandbox.receiverStatus = 200;
    await sandbox.control('clock', { advance_seconds: 300 });
    expect(completed()).toHaveLength(5);
    await sandbox.control('clock', { advance_seconds: 24 * 3600 });
    expect(completed()).toHaveLength(5);
    expect(new Set(completed().map(({ payload }) => payload)).size).toBe(1);
    expect((await sandbox.stripe.events.list({ delivery_success: false })).data).toHaveLength(0);
  });

  it('are abandoned after three days', async () => {
    sandbox.receiverStatus = 500;
    await freeOrder();
    await sandbox.control('clock', { advance_seconds: 5 * 24 * 3600 });

    const attempts = completed().length;
    expect(attempts).toBeGreaterThan(70);
    await sandbox.control('clock', { advance_seconds: 24 * 3600 });
    expect(completed()).toHaveLength(attempts);
  });

  it('are sent after a restart when the process died before sending them', async () => {
    await sandbox.control('faults', { webhook: 'delay', ms: 600_000, times: 5 });
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '');
    await sandbox.sandbox.idle();
    expect(completed()).toHaveLength(0);

    // Simulates kill -9: only the rows are left.
    await sandbox.stop();
    await sandbox.pool.query(
      'update sandbox.deliveries set next_attempt_at = first_due_at where next_attempt_at is not null',
    );
    await sandbox.start();
    await sandbox.sandbox.idle();

    expect(completed()).toHaveLength(1);
    expect(sandbox.eventTypes()).toHaveLength(5);
    expect((await sandbox.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
  });

  it.each([
    ['duplicate', 2],
    ['drop', 0],
  ] as const)('honor the fault %s', async (webhook, times) => {
    await sandbox.control('faults', { webhook });
    await freeOrder();
    await sandbox.control('clock', { advance_seconds: 3600 });

    expect(completed()).toHaveLength(times);
  });

  it.each(['bad_signature', 'old_timestamp'] as const)('fail verification with the fault %s', async (webhook) => {
    await sandbox.control('faults', { webhook });
    await freeOrder();
    await sandbox.sandbox.idle();

    const [first] = completed();
    expect(() => first && sandbox.verified(first)).toThrow();
  });

  it('can arrive out of order', async () => {
    await sandbox.control('faults', { webhook: 'reorder' });
    await sandbox.pay((await sandbox.openSession()).url ?? '');
    await sandbox.sandbox.idle();

    expect(sandbox.eventTypes()).toEqual([
      'charge.updated',
      'checkout.session.completed',
      'payment_intent.succeeded',
      'charge.succeeded',
      'payment_intent.created',
    ]);
  });
});

describe('call faults', () => {
  const expire = async (id: string, key: string) =>
    sandbox.client(SECRET_KEY).checkout.sessions.expire(id, {}, { idempotencyKey: key });
  const fault = (mode: string, more: object = {}) =>
    sandbox.control('faults', { match: { method: 'POST', path: '/v1/checkout/sessions/*' }, mode, ...more });
  const statusOf = async (id: string) => (await sandbox.stripe.checkout.sessions.retrieve(id)).status;

  it('fail before or after the call takes effect', async () => {
    const [before, after] = [await sandbox.openSession(), await sandbox.openSession()];

    await fault('error_before');
    await expect(expire(before.id, 'fb')).rejects.toMatchObject({ statusCode: 500 });
    expect(await statusOf(before.id)).toBe('open');
    expect((await expire(before.id, 'fb')).status).toBe('expired');

    await fault('error_after');
    await expect(expire(after.id, 'fa')).rejects.toMatchObject({ statusCode: 500 });
    expect(await statusOf(after.id)).toBe('expired');
    await expect(expire(after.id, 'fa')).rejects.toMatchObject({ statusCode: 500 });
  });

  it('drop the connection before or after the call, or truncate the response', async () => {
    for (const [mode, status] of [
      ['drop_before', 'open'],
      ['drop_after', 'expired'],
      ['truncate', 'expired'],
    ] as const) {
      const session = await sandbox.openSession();
      // The SDK retries a closed connection once.
      await fault(mode, { times: 2 });
      await expect(expire(session.id, `c-${mode}`)).rejects.toMatchObject({ type: 'StripeConnectionError' });
      await sandbox.api('/_sandbox/faults', { method: 'DELETE' });

      expect(await statusOf(session.id)).toBe(status);
      expect((await expire(session.id, `c-${mode}`)).status).toBe('expired');
    }
  });

  it('delay the call, rate limit it, or report a conflict', async () => {
    const session = await sandbox.openSession();
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

describe('the recorder', () => {
  it('writes every exchange and webhook, without card numbers', async () => {
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '', '5555 5555 5555 4444');
    await sandbox.sandbox.idle();
    await sandbox.stop();
    const text = await readFile(recordFile, 'utf8');
    await sandbox.start();
    const lines = text.trim().split('\n');

    const creation = lines.find((line) => line.includes(session.id)) ?? '';
    expect(JSON.parse(creation)).toMatchObject({ method: 'POST', path: '/v1/checkout/sessions', status: 200 });
    expect(creation).toContain('mode=payment');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ secret: WEBHOOK_SECRET });
    expect(lines.at(-1)).toMatch(/"event":"[^"]+","payload":".*","signature":"t=\d+,v1=/);
    expect(text).not.toMatch(/5555.?5555/);
  });
});
