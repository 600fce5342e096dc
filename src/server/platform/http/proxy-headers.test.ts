import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '#server/main/open-log.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { contradicts, findProxyProblem, watchProxyHeaders } from './proxy-headers.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ hasOrganizers: false, runsJobs: false });
});
beforeEach(() => app.db.deleteFrom('proxyHeaderCounts').execute());
afterAll(() => app.close());

const silent = pino({ level: 'silent' });
const ask = (headers: Record<string, string> = {}, path = '/api/public/event/AAAAAAAAAAAAAAAA') =>
  fetch(`${app.publicUrl}${path}`, { headers });

describe('forwarding headers', () => {
  it.each([
    [{}, 0, false],
    [{ 'x-forwarded-for': '203.0.113.9' }, 0, true],
    [{ Forwarded: 'for=203.0.113.9' }, 0, true],
    [{ 'x-real-ip': '203.0.113.9' }, 0, true],
    [{ 'X-Forwarded-For': '203.0.113.9' }, 1, false],
    [{}, 1, true],
    [{ 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }, 1, true],
    [{ 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }, 2, false],
    [{ 'x-forwarded-for': '203.0.113.9' }, 2, true],
    [{ 'x-forwarded-for': '' }, 1, true],
  ])('%j with TRUST_PROXY=%i contradict it: %s [OPS-1]', (headers, trustedProxies, isContradiction) => {
    const rawHeaders = ['Host', 'localhost', ...Object.entries(headers).flat()];
    expect(contradicts(rawHeaders, trustedProxies)).toBe(isContradiction);
  });

  it('are reported with how many requests had them, once in the log, and not for health checks [OPS-1]', async () => {
    const lines: string[] = [];
    const log = openLog('warn', { write: (line) => lines.push(line) });
    const watch = watchProxyHeaders(app.server.server, { db: app.db, trustedProxies: 0, log });
    await ask();
    for (let n = 0; n < 3; n++) await ask({ 'x-forwarded-for': '203.0.113.9' });
    await ask({ 'x-forwarded-for': '203.0.113.9' }, '/livez');
    await watch.stop();

    expect(await findProxyProblem(app.db, 0)).toMatch(/^3 of 4 requests contradict TRUST_PROXY, which is 0/);
    expect(await findProxyProblem(app.db, 1)).toBeNull();
    expect(lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
    expect(lines.join('')).not.toContain('203.0.113.9');
  });

  it('of a few callers who made them up are not reported [OPS-1]', async () => {
    const watch = watchProxyHeaders(app.server.server, { db: app.db, trustedProxies: 0, log: silent });
    for (let n = 0; n < 11; n++) await ask();
    await ask({ 'x-forwarded-for': '203.0.113.9' });
    await watch.stop();

    expect(await findProxyProblem(app.db, 0)).toBeNull();
  });
});
