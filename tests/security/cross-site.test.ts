/** What another site can do through a visitor's browser: change nothing, and read nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resendVerification } from '#contract/app/accounts.ts';
import { publicEvent } from '#contract/app/events.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { crossSite, notJson } from '#contract/messages/requests.ts';
import { buildApp } from '#server/main/app.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const EVIL = 'https://evil.example';

let app: TestApp;
/** Cookies of two browser sessions and of one API client. */
let own: Record<string, string>;
let others: Record<string, string>;
let programs: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  const cookiesOf = async (isBrowser: boolean) =>
    Object.fromEntries((await newOrganizer(app, { isBrowser })).visitor.cookies);
  [own, others, programs] = [await cookiesOf(true), await cookiesOf(true), await cookiesOf(false)];
});
afterAll(() => app?.close());

function post(cookies: Record<string, string>, headers: Record<string, string>) {
  return app.server.inject({ method: 'POST', url: resendVerification.path, cookies, headers, payload: {} });
}

describe('a state-changing call from a browser session', () => {
  const xsrf = (cookies: Record<string, string>) => ({ 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' });
  const from = (site: string) => ({ 'sec-fetch-site': site });

  it.each<[what: string, headers: () => Record<string, string>]>([
    ['our own page, as browsers report it', () => from('same-origin')],
    ['the address bar', () => from('none')],
    ['our own origin, as older browsers report it', () => ({ origin: app.publicUrl })],
    ['a page that repeats its cookie', () => xsrf(own)],
    ['our own page with all three', () => ({ ...from('same-origin'), origin: app.publicUrl, ...xsrf(own) })],
  ])('is accepted from %s', async (_what, headers) => {
    expect((await post(own, headers())).statusCode).toBe(200);
  });

  it.each<[what: string, headers: () => Record<string, string>]>([
    ['another site', () => from('cross-site')],
    ['a sibling subdomain', () => from('same-site')],
    ['another origin', () => ({ origin: EVIL })],
    ['an opaque origin', () => ({ origin: 'null' })],
    ['an origin that starts like ours', () => ({ origin: `${app.publicUrl}.evil.example` })],
    ['an origin that ends like ours', () => ({ origin: `https://evil${new URL(app.publicUrl).host}` })],
    ['our host on another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['our host on another scheme', () => ({ origin: app.publicUrl.replace('http:', 'https:') })],
    ['an invalid origin', () => ({ origin: 'evil' })],
    ['an unnamed origin, as with a form in an old browser', () => ({})],
    ['a page that guesses the token', () => ({ 'x-xsrf-token': 'guess' })],
    ['a page without the token', () => ({ 'x-xsrf-token': '' })],
    ["a page with another user's token", () => xsrf(others)],
    ['our own page with a wrong token', () => ({ ...from('same-origin'), 'x-xsrf-token': 'guess' })],
    ['our own page by one header and another by the other', () => ({ ...from('same-origin'), origin: EVIL })],
    ['another site with a right token', () => ({ ...from('cross-site'), ...xsrf(own) })],
    ['two origins at once', () => from('same-origin, cross-site')],
  ])('is rejected from %s', async (_what, headers) => {
    const reply = await post(own, headers());
    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toEqual({ msg: crossSite });
  });
});

describe("a call from an API client's session", () => {
  it('needs none of these headers', async () => {
    expect((await post(programs, {})).statusCode).toBe(200);
  });

  it('is rejected when a browser says that another site sent it', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: EVIL }])
      expect((await post(programs, headers)).statusCode).toBe(403);
  });
});

describe('on https', () => {
  it('a page loaded over http is another site, even with our host name, because the network could have written it', async () => {
    const deps = { ...app.deps, publicUrl: 'https://tickets.example' };
    const https = await buildApp({ deps, trustedProxies: 0, isReady: async () => true, webRoot: null, plugins: [] });
    const statusFrom = async (origin: string) => {
      const headers = { origin, host: 'tickets.example' };
      const cookies = { token: own['token'] ?? '', '__Host-session': own['session'] ?? '' };
      const call = { method: 'POST', url: resendVerification.path, headers, cookies, payload: {} } as const;
      return (await https.inject(call)).statusCode;
    };

    expect(await statusFrom('https://tickets.example')).toBe(200);
    expect(await statusFrom('http://tickets.example')).toBe(403);
    await https.close();
  });
});

describe('every endpoint', () => {
  const pathOf = ({ path }: AnyEndpoint) => path.replace(/:\w+/g, 'AAAAAAAAAAAAAAAA');

  it('that changes state rejects another site before anything else', async () => {
    for (const [name, endpoint] of await endpointsOfContract()) {
      if (endpoint.method === 'GET') continue;
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: EVIL }, { 'x-xsrf-token': 'guess' }]) {
        const call = { method: endpoint.method, url: pathOf(endpoint), headers, payload: {} };
        const reply = await app.server.inject({ ...call, cookies: own });
        expect([name, reply.statusCode, reply.json()]).toEqual([name, 403, { msg: crossSite }]);
      }
    }
  });

  it('that changes state accepts no body that a form on another site can send', async () => {
    for (const [name, endpoint] of await endpointsOfContract()) {
      if (endpoint.method === 'GET' || endpoint.upload) continue;
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
        const call = { method: endpoint.method, url: pathOf(endpoint), headers, payload: '{"eventId":"x"}' };
        const reply = await app.server.inject({ ...call, cookies: own });
        expect([name, reply.statusCode, reply.json()]).toEqual([name, 415, { msg: notJson }]);
      }
    }
  });

  it('lets no other site read its response, whatever that site sends', async () => {
    const asked = { origin: EVIL, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x' };
    for (const [, endpoint] of await endpointsOfContract()) {
      for (const method of ['OPTIONS', 'GET', endpoint.method] as const) {
        const reply = await app.server.inject({ method, url: pathOf(endpoint), headers: asked, cookies: own });
        const cors = Object.keys(reply.headers).filter((header) => header.startsWith('access-control-'));
        expect([method, endpoint.path, cors]).toEqual([method, endpoint.path, []]);
        if (method === 'OPTIONS') expect(reply.statusCode).toBe(404);
      }
    }
    const event = await fetch(app.publicUrl + pathOf(publicEvent), { headers: { origin: EVIL } });
    expect(event.headers.get('access-control-allow-origin')).toBeNull();
    expect(event.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});
