import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

describe('an unknown path', () => {
  it.each(['/api/public/nothing', '/api', '/sandbox/nothing', '/nothing'])(
    'answers %s with 404 and a message',
    async (path) => {
      expect(await app.visitor().request(path)).toMatchObject({ status: 404, body: { code: 'page.not-found' } });
    },
  );
});

describe('every response', () => {
  it('has the security headers and forbids caching', async () => {
    const { headers } = await app.visitor().request('/api/public/event/unknown');

    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; object-src 'none'; script-src 'self' 'wasm-unsafe-eval'/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
