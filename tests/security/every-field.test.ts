/**
 * Sends hostile values to every field of every endpoint, read from the contract, within an otherwise valid request. No
 * field is listed here: new fields are covered automatically, and a new endpoint without a valid sample fails the
 * suite.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Sample, type Samples, sampleNamed, samplesOf } from '#tests/support/call-samples.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { flawsOf, type RawRequest, rawRequest } from '#tests/support/raw-request.ts';
import { formRequest, inputOf, jsonRequest } from '#tests/support/send-sample.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { hostileRequests } from './hostile-requests.ts';
import { MARK, SENT } from './hostile-values.ts';

let app: TestApp;
let samples: Samples;
beforeAll(async () => {
  // Rate limits still count, far from their maximum: their keys must accept any text.
  app = await startTestApp({ rateLimitScale: 100_000, refundDelayMinutes: 30 });
  samples = await samplesOf(app, await openStage(app));
});
afterAll(() => app.close());

async function send({ by, before }: Sample, request: RawRequest) {
  await before?.();
  return rawRequest(app.publicUrl, { ...request, by });
}

/** Requests mostly wait for each other. */
const AT_ONCE = 6;
/** Below the limit per organizer, which would reject an upload without looking at it. */
const UPLOADS_AT_ONCE = 2;
const TIMEOUT_MS = 120_000;

const endpoints = await endpointsOfContract();
const calls = endpoints.map(([name, endpoint]) => [`${endpoint.method} ${endpoint.path}`, name, endpoint] as const);

describe.each(calls)('%s', (_title, name, endpoint) => {
  it('accepts the valid request, and ignores unknown fields', async () => {
    const sample = sampleNamed(samples, name);
    const unknown = { isAdmin: true, userId: MARK, tokenCount: 999, verified: true, status: MARK, nobodyKnows: [MARK] };
    const input = { ...unknown, ...inputOf(sample) };
    const asText = Object.entries(input).map(([field, value]): [string, string] => [field, String(value)]);
    const request = endpoint.upload ? await formRequest(endpoint, asText) : jsonRequest(endpoint, input);
    const answer = await send(sample, request);

    expect([answer.status, flawsOf(answer, SENT)]).toEqual([sample.answers ?? 200, []]);
  });

  it('rejects with a message every value that its fields do not accept, and repeats none of it', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const sample = sampleNamed(samples, name);
    const flaws: string[] = [];
    const waiting = hostileRequests(endpoint, inputOf(sample)).values();
    async function sendAll() {
      for (const { what, request, expected } of waiting) {
        const answer = await send(sample, await request());
        for (const flaw of flawsOf(answer, SENT)) flaws.push(`${what} ${flaw}`);
        if (answer.status === 429) flaws.push(`${what} was not looked at: ${answer.text.slice(0, 100)}`);
        if (answer.status !== (expected ?? answer.status))
          flaws.push(`${what} is answered ${answer.status}, not ${expected}: ${answer.text.slice(0, 100)}`);
      }
    }
    // Some requests are valid and end the state that `before` prepares again.
    const atOnce = sample.before ? 1 : endpoint.upload ? UPLOADS_AT_ONCE : AT_ONCE;
    await Promise.all(Array.from({ length: atOnce }, sendAll));

    expect(flaws).toEqual([]);
  });
});

describe('after these requests', () => {
  it('the process runs, no account is an admin, and Object.prototype is clean', async () => {
    const { status } = await rawRequest(app.publicUrl, { method: 'GET', path: '/livez' });
    const admins = await app.db.selectFrom('users').select('email').where('isAdmin', '=', true).execute();

    expect(status).toBe(200);
    expect(admins).toHaveLength(1);
    expect('isAdmin' in {}).toBe(false);
  });

  it('every endpoint has answered a valid request, and hostile ones if it has fields', () => {
    const sent = Object.values(samples).length;
    const hostile = endpoints.flatMap(([name, endpoint]) =>
      hostileRequests(endpoint, inputOf(sampleNamed(samples, name))),
    );

    expect(Object.keys(samples).toSorted()).toEqual(endpoints.map(([name]) => name).toSorted());
    expect(hostile.length).toBeGreaterThan(sent * 40);
  });
});
