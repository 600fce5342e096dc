import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_KEY, TestSandbox } from '#tests/support/test-sandbox.ts';
import { Faults } from './faults.ts';

let sandbox: TestSandbox;
let intentId = '';
beforeAll(async () => {
  sandbox = await TestSandbox.open();
  const session = await sandbox.openSession();
  await sandbox.pay(session.url ?? '', '4000000000000077');
  intentId = String((await sandbox.stripe.checkout.sessions.retrieve(session.id)).payment_intent);
});
afterEach(async () => {
  await sandbox.api('/_sandbox/faults', { method: 'DELETE' });
  await sandbox.sandbox.idle();
  sandbox.received.length = 0;
});
afterAll(() => sandbox.close());

const REFUNDS = { method: 'POST', path: '/v1/refunds' };
const refund = (name: string, retries: number) =>
  sandbox
    .client(SECRET_KEY, retries)
    .refunds.create({ payment_intent: intentId, amount: 100, metadata: { name } }, { idempotencyKey: `re:${name}:1` });
const refundsNamed = async (name: string) => {
  const { data } = await sandbox.stripe.refunds.list({ payment_intent: intentId, limit: 100 });
  return data.filter(({ metadata }) => metadata?.['name'] === name).length;
};

describe('a call fault', () => {
  it.each(['error_before', 'drop_before', 'drop_after', 'conflict', 'slow:50'])(
    '%s is retried by the SDK with the same idempotency key',
    async (mode) => {
      await sandbox.control('faults', { match: REFUNDS, mode });
      expect((await refund(mode, 2)).status).toBe('succeeded');
      expect(await refundsNamed(mode)).toBe(1);
    },
  );

  it('error_after is replayed as an error, although the refund exists', async () => {
    await sandbox.control('faults', { match: REFUNDS, mode: 'error_after' });
    await expect(refund('after', 2)).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    await expect(refund('after', 2)).rejects.toMatchObject({ statusCode: 500 });
    expect(await refundsNamed('after')).toBe(1);
  });

  it('status:429 is not retried by the SDK', async () => {
    await sandbox.control('faults', { match: REFUNDS, mode: 'status:429' });
    await expect(refund('many', 2)).rejects.toMatchObject({ type: 'StripeRateLimitError', statusCode: 429 });
    expect(await refundsNamed('many')).toBe(0);
    expect((await refund('many', 0)).status).toBe('succeeded');
  });

  it('slow calls finish before the clock moves, even after the client timed out and retried', async () => {
    await sandbox.control('faults', { match: REFUNDS, mode: 'slow', ms: 700 });
    const params = { payment_intent: intentId, amount: 100, metadata: { name: 'timed out' } };
    const key = { idempotencyKey: 're:timed out:1' };
    const withTimeout = { ...key, timeout: 200, maxNetworkRetries: 0 };
    await expect(sandbox.stripe.refunds.create(params, withTimeout)).rejects.toMatchObject({
      type: 'StripeConnectionError',
    });
    await sandbox.stripe.refunds.create(params, key);

    await sandbox.control('clock', { advance_seconds: 2 * 24 * 60 * 60 });

    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await refundsNamed('timed out')).toBe(1);
  });

  it.each(['error_before', 'drop_before', 'status:429', 'conflict'])('%s has no effect', async (mode) => {
    const name = `nothing-${mode}`;
    await sandbox.control('faults', { match: REFUNDS, mode, times: 10 });
    await expect(refund(name, 0)).rejects.toThrow();
    expect(await refundsNamed(name)).toBe(0);
  });

  // The SDK retries a closed connection, but never a truncated response.
  it.each(['drop_after', 'truncate'])('%s takes effect once, and a later retry succeeds', async (mode) => {
    const name = `done-${mode}`;
    await sandbox.control('faults', { match: REFUNDS, mode, times: 10 });
    await expect(refund(name, 0)).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await refundsNamed(name)).toBe(1);
    await sandbox.api('/_sandbox/faults', { method: 'DELETE' });
    expect((await refund(name, 0)).status).toBe('succeeded');
    expect(await refundsNamed(name)).toBe(1);
  });
});

describe('fault matching', () => {
  it.each([
    [{}, 'GET', '/v1/balance', true],
    [{ method: 'post' }, 'POST', '/v1/refunds', true],
    [{ method: 'POST' }, 'GET', '/v1/refunds', false],
    [{ path: '/v1/refunds' }, 'GET', '/v1/refunds/re_1', false],
    [{ path: '/v1/refunds*' }, 'GET', '/v1/refunds/re_1', true],
    [{ path: '/v1/transfers/*/reversals' }, 'POST', '/v1/transfers/tr_1/reversals', true],
    [{ path: '/v1/transfers/*/reversals' }, 'POST', '/v1/transfers/tr_1/reversals/trr_1', false],
    [{ path: '/v1/transfers/*' }, 'POST', '/v1/transfers/tr_1/reversals', true],
    [{ path: '/v1/transfers' }, 'POST', '/v1/transfersX', false],
    [{ path: '/v2/core/accounts/*/close' }, 'POST', '/v2/core/accounts/acct_1/close', true],
    [{ path: '*' }, 'GET', '/v1/balance', true],
  ])('%j matches %s %s: %s', (match, method, path, matches) => {
    const faults = new Faults();
    faults.addCallFault({ match, mode: 'slow', timesLeft: 1, ms: 1 });
    expect(faults.consumeForCall(method, path) !== null).toBe(matches);
  });

  it('applies to the planned number of matching calls', async () => {
    await sandbox.control('faults', { match: REFUNDS, mode: 'error_before', times: 2 });
    await sandbox.control('faults', { match: { path: '/v1/balance' }, mode: 'status:429' });
    await expect(sandbox.stripe.balance.retrieve()).rejects.toMatchObject({ statusCode: 429 });
    expect((await sandbox.stripe.balance.retrieve()).object).toBe('balance');
    await expect(refund('twice', 1)).rejects.toMatchObject({ statusCode: 500 });
    expect((await refund('twice', 0)).status).toBe('succeeded');
  });

  it('rejects unknown faults', async () => {
    await expect(sandbox.control('faults', { mode: 'explode' })).rejects.toThrow('invalid_request_error');
    await expect(sandbox.control('faults', { webhook: 'slow' })).rejects.toThrow();
    await expect(sandbox.control('faults', { webhook: 'drop', match: { path: '/x' } })).rejects.toThrow();
  });
});

describe('delivery faults', () => {
  const pay = async () => {
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '');
    await sandbox.sandbox.idle();
  };
  const count = (type: string) => sandbox.received.filter(({ payload }) => payload.includes(`"type":"${type}"`)).length;

  it('can duplicate events of one type', async () => {
    await sandbox.control('faults', { webhook: 'duplicate:4', match: { type: 'checkout.session.*' } });
    await pay();
    expect([count('checkout.session.completed'), count('charge.succeeded')]).toEqual([4, 1]);
  });

  it('can delay events of one type', async () => {
    await sandbox.control('faults', { webhook: 'delay:60000', match: { type: 'checkout.session.completed' } });
    await pay();
    expect([count('checkout.session.completed'), count('charge.updated')]).toEqual([0, 1]);
    await sandbox.control('clock', { advance_seconds: 61 });
    expect(count('checkout.session.completed')).toBe(1);
  });

  it('can change the API version', async () => {
    await sandbox.control('faults', { webhook: 'wrong_version', match: { type: 'charge.succeeded' } });
    await pay();
    const versions = sandbox.received.map((received) => sandbox.verified(received).api_version);
    expect(versions.filter((version) => version === '2020-08-27')).toHaveLength(1);
  });
});
