import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_KEY, TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());

const DAY = 24 * 3600;

const post = async (path: string, key: string, body = '', headers: Record<string, string> = {}) => {
  const response = await sandbox.api(path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': key,
      ...headers,
    },
    body,
  });
  return {
    status: response.status,
    isReplay: response.headers.get('idempotent-replayed') === 'true',
    shouldRetry: response.headers.get('stripe-should-retry'),
    text: await response.text(),
  };
};
const expirePath = async () => `/v1/checkout/sessions/${(await sandbox.openSession()).id}/expire`;

describe('idempotency keys', () => {
  it('replay errors raised during execution: missing object, business rule, server error', async () => {
    const missing = await post('/v1/checkout/sessions/cs_test_x/expire', 'missing');
    expect(missing.status).toBe(404);
    expect(await post('/v1/checkout/sessions/cs_test_x/expire', 'missing')).toEqual({ ...missing, isReplay: true });

    const path = await expirePath();
    await sandbox.control('faults', { match: { path }, mode: 'error_after' });
    const broken = await post(path, 'broken');
    expect(broken).toMatchObject({ status: 500, isReplay: false, shouldRetry: 'false' });
    expect(await post(path, 'broken')).toEqual({ ...broken, isReplay: true });
    expect((await post(path, 'broken-2')).status).toBe(400);
  });

  it('do not replay calls that never ran: invalid API key, unknown URL, fault before the call', async () => {
    const path = await expirePath();
    expect((await post(path, 'k', '', { authorization: 'Bearer sk_test_other' })).status).toBe(401);
    expect((await post(`${path}x`, 'k')).status).toBe(404);
    await sandbox.control('faults', { match: { path }, mode: 'error_before' });
    expect(await post(path, 'k')).toMatchObject({ status: 500, shouldRetry: null });
    await sandbox.control('faults', { match: { path }, mode: 'conflict' });
    expect(await post(path, 'k')).toMatchObject({ status: 409, shouldRetry: 'true' });
    expect(await post(path, 'k')).toMatchObject({ status: 200, isReplay: false });
  });

  it('reject another path, body or account with the same key', async () => {
    const [one, other] = [await expirePath(), await expirePath()];
    expect((await post(one, 'same')).status).toBe(200);
    expect(await post(other, 'same')).toMatchObject({
      status: 400,
      text: expect.stringContaining('Keys for idempotent requests can only be used with the same parameters'),
    });
    const { id } = await sandbox.onboardedAccount();
    const settings = 'payments[payouts][schedule][interval]=manual';
    expect((await post('/v1/balance_settings', 'same', settings, { 'stripe-account': id })).status).toBe(200);
    expect((await post('/v1/balance_settings', 'same', settings)).status).toBe(400);
  });

  it('are limited to 255 characters', async () => {
    const path = await expirePath();
    expect((await post(path, 'x'.repeat(256))).status).toBe(400);
    expect((await post(path, 'x'.repeat(255))).status).toBe(200);
  });

  it('expire after one day in v1 and thirty days in v2', async () => {
    const refund = await expirePath();
    expect((await post(refund, 'day')).status).toBe(200);
    const make = () =>
      sandbox.stripe.v2.core.accounts.create(
        {
          contact_email: 'a@example.com',
          dashboard: 'express',
          identity: { country: 'us' },
          defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
          configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
        },
        { idempotencyKey: 'acct:1' },
      );
    const first = await make();

    await sandbox.control('clock', { advance_seconds: DAY + 1 });
    expect(await post(refund, 'day')).toMatchObject({ status: 400, isReplay: false });
    expect((await make()).id).toBe(first.id);
    await sandbox.control('clock', { advance_seconds: 29 * DAY });
    expect((await make()).id).not.toBe(first.id);
  });
});
