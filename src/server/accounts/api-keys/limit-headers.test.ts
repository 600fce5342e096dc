/** What an answer says of its key's limit. */
import { describe, expect, it } from 'vitest';
import { readOrganization } from '#contract/v1/organization.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { verifiedOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { admitKey } from './admit-key.ts';

let app: TestApp;
withTestApp(
  (opened) => {
    app = opened;
  },
  { rateLimitScale: 1 },
);

describe('An answer', () => {
  it('says how many requests are left [API-13]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const key = await newApiKey(visitor);

    const { headers } = await callV1(app, key, readOrganization);

    expect([headers['ratelimit-policy'], headers['ratelimit']]).toEqual(['"key";q=60;w=3', '"key";r=59;t=3']);
  });

  it('says so once none is left [API-13]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const bearer = await newApiKey(visitor);
    const none = { points: 60, seconds: 3, left: 0, resetSeconds: 2 };
    const rateLimiter = { ...app.deps.rateLimiter, consume: async () => 2, standing: () => none };
    const shown: unknown[] = [];

    const admitted = admitKey(
      { ...app.deps, rateLimiter },
      { bearer, ip: '192.0.2.1', showLimit: (standing) => shown.push(standing) },
    );

    await expect(admitted).rejects.toMatchObject({ code: 'rate-limit.exceeded', params: { retryAfterSeconds: 2 } });
    expect(shown).toEqual([none]);
  });

  it('to no key says nothing [API-13]', async () => {
    const { status, headers } = await callV1(app, null, readOrganization);

    expect([status, headers['ratelimit']]).toEqual([401, undefined]);
  });
});
