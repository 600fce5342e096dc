import { describe, expect, it } from 'vitest';
import { HandstampUnreachableError } from './errors.ts';
import { retrying } from './retry.ts';

type Outcome = { status: number; retryAfter?: string } | 'broken';

/** Sends a request to a server whose answers are written, and returns how long each wait was, in seconds. */
async function send(method: string, outcomes: Outcome[], retries = 4, headers: Record<string, string> = {}) {
  const waits: number[] = [];
  const bodies: string[] = [];
  const answers = outcomes.values();
  const again = retrying(
    async (request) => {
      bodies.push(await request.text());
      const outcome = answers.next().value;
      if (!outcome || outcome === 'broken') throw new TypeError('fetch failed');
      const { status, retryAfter } = outcome;
      return new Response('', { status, ...(retryAfter && { headers: { 'retry-after': retryAfter } }) });
    },
    { retries, wait: async (milliseconds) => void waits.push(milliseconds / 1000) },
  );
  const request = new Request('https://tickets.example/api/v1/events', {
    method,
    headers,
    ...(method !== 'GET' && { body: 'the body' }),
  });
  const outcome = await again(request).catch((error: unknown) => error);
  return { outcome: outcome instanceof Response ? outcome.status : outcome, waits, bodies };
}

describe('A request', () => {
  it('is sent again after a 429, once the time is over that the answer states, whatever it does', async () => {
    const { outcome, waits, bodies } = await send('POST', [{ status: 429, retryAfter: '7' }, { status: 200 }]);

    expect({ outcome, waits }).toEqual({ outcome: 200, waits: [7] });
    expect(bodies).toEqual(['the body', 'the body']);
  });

  it('reads a date in Retry-After', async () => {
    const retryAfter = new Date(Date.now() + 30_000).toUTCString();

    const { waits } = await send('GET', [{ status: 503, retryAfter }, { status: 200 }]);

    expect(waits[0]).toBeGreaterThan(25);
    expect(waits[0]).toBeLessThanOrEqual(30);
  });

  it('is not held for longer than a minute', async () => {
    expect(await send('GET', [{ status: 429, retryAfter: '900' }])).toMatchObject({ outcome: 429, waits: [] });
  });

  it.each(['broken', { status: 502 }, { status: 503 }] as const)(
    'that reads is sent again after a failure that may pass, with growing pauses: %o',
    async (failure) => {
      const { outcome, waits } = await send('GET', [failure, failure, failure, { status: 200 }]);
      const [first = 0, , third = 0] = waits;

      expect({ outcome, count: waits.length }).toEqual({ outcome: 200, count: 3 });
      expect(first).toBeLessThanOrEqual(0.5);
      expect(third).toBeGreaterThanOrEqual(1);
    },
  );

  it.each(['broken', { status: 502 }, { status: 503 }] as const)(
    'that writes is sent again only with a key that makes it one: %o',
    async (failure) => {
      expect((await send('PATCH', [failure])).waits).toEqual([]);
      const withKey = await send('POST', [failure, { status: 200 }], 3, { 'idempotency-key': 'once' });
      expect([withKey.outcome, withKey.waits.length]).toEqual([200, 1]);
    },
  );

  it.each([200, 400, 401, 404, 409, 500])('is not sent again after %i', async (status) => {
    expect(await send('GET', [{ status }])).toMatchObject({ outcome: status, waits: [] });
  });

  it('fails once it was sent again as often as it may be', async () => {
    expect((await send('GET', ['broken', 'broken', 'broken'], 2)).outcome).toBeInstanceOf(HandstampUnreachableError);
    expect(await send('GET', [{ status: 503 }, { status: 503 }], 1)).toMatchObject({ outcome: 503 });
  });
});
