import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { findKeyProblem } from './find-key-problem.ts';
import { stripePayoutAccounts } from './payout-accounts.ts';
import { createStripeClient } from './stripe-client.ts';

/** The response to the next calls; `null` closes the connection. */
let answer: { status: number; body: unknown } | null = null;
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (!answer) return request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    response.end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

function client() {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return createStripeClient({ secretKey: 'sk_test_0', api: { host: '127.0.0.1', port, protocol: 'http' } });
}

const accounts = () => stripePayoutAccounts(client(), { publicUrl: 'http://localhost:3000' });

describe('The check of the key', () => {
  const denied = (status: number, type: string) => ({ status, body: { error: { type, message: 'no' } } });

  it.each([
    ['accepted', { status: 200, body: { object: 'balance', available: [], pending: [] } }, null],
    ['revoked', denied(401, 'invalid_request_error'), /doesn't accept STRIPE_SECRET_KEY/],
    ['restricted', denied(403, 'invalid_request_error'), /may not read the balance/],
    ['out of reach', null, /can't be reached/],
  ])('says whether it is %s [OPS-15]', async (_what, next, problem) => {
    answer = next;

    expect(await findKeyProblem(client())).toEqual(problem && expect.stringMatching(problem));
  });
});

describe('Stripe errors', () => {
  it.each([
    ['a broken connection', null],
    ['a server error', { status: 500, body: { error: { type: 'api_error', message: 'oops' } } }],
    ['too many requests', { status: 429, body: { error: { type: 'rate_limit_error', message: 'slow down' } } }],
    ['an idempotency key in use', { status: 409, body: { error: { type: 'idempotency_error', message: 'in use' } } }],
    ["a proxy's error page", { status: 404, body: { message: 'Not Found' } }],
    ['an object of another kind', { status: 200, body: { id: 'cus_1', object: 'customer' } }],
    ['an object without an id', { status: 200, body: { object: 'v2.core.account' } }],
  ])('%s counts as unreachable', async (_what, next) => {
    answer = next;
    await expect(accounts().status('acct_1')).rejects.toBeInstanceOf(ProcessorUnreachable);
  });

  it.each([409, 429])('a conflict (%s) is not a denial, whatever its error type', async (status) => {
    answer = { status, body: { error: { type: 'invalid_request_error', message: 'try again' } } };
    const transfer = { payoutId: 'p', eventId: 'e', accountId: 'acct_1', cents: 1, attempt: 1 };

    const call = accounts().transfer({ ...transfer, knownPayouts: () => Promise.resolve([]) });

    await expect(call).rejects.toBeInstanceOf(ProcessorUnreachable);
  });

  it.each([
    ['a bad request', 400, 'invalid_request_error', 'parameter_unknown'],
    ['a wrong key', 401, 'invalid_request_error', null],
    ['a missing permission', 403, 'invalid_request_error', 'account_invalid'],
  ])('%s counts as a denial', async (_what, status, type, code) => {
    answer = { status, body: { error: { type, ...(code && { code }), message: 'no' } } };

    const denial = await accounts()
      .status('acct_1')
      .catch((error: unknown) => error);

    expect(denial).toBeInstanceOf(ProcessorDenied);
    if (code) expect(denial).toMatchObject({ code });
  });
});
