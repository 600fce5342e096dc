import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logout } from '#contract/accounts.ts';
import { bodyTooLarge, crossSite, notFoundPage, notJson, unreadableBody } from '#contract/sentences.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';

let world: World;
let organizer: Visitor;
beforeAll(async () => {
  world = await openWorld();
  ({ visitor: organizer } = await newOrganizer(world));
});
afterAll(() => world.close());

const endpoints = (await endpointsOfContract()).map(([, endpoint]) => endpoint).filter((endpoint) => !endpoint.upload);
const unsafe = endpoints.filter((endpoint) => endpoint.method !== 'GET' && endpoint !== logout);

const hostile: [string, unknown][] = [
  ['nothing', {}],
  ['a list', []],
  ['a word', 'hello'],
  ['null', null],
  ['numbers for everything', valuesOf(7)],
  ['lists for everything', valuesOf([[]])],
  ['objects for everything', valuesOf({ $gt: '' })],
  ['very long texts', valuesOf('x'.repeat(5000))],
  ['a NUL character', valuesOf('a\u0000b')],
  ['quotes and SQL', valuesOf(`'; drop table users; --`)],
];

/** Every field name that any endpoint knows, all with one value. */
function valuesOf(value: unknown) {
  const names = ['email', 'password', 'confirmPassword', 'acceptedTerms', 'honeypot', 'token', 'eventId', 'sessionId'];
  const more = [
    'cartItems',
    'formData',
    'manualFormData',
    'confirmationNumber',
    'title',
    'tickets',
    'street',
    'q',
    'after',
  ];
  return Object.fromEntries([...names, ...more].map((name) => [name, value]));
}

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_name, endpoint) => {
    it.each(hostile)('answers %s with a sentence, and never breaks', async (_case, body) => {
      if (endpoint === logout) return expect(await world.visitor().send(endpoint, body)).toBeTruthy();
      for (const visitor of [world.visitor(), organizer]) {
        const reply = await visitor.send(endpoint, body);

        expect(reply.status).toBeLessThan(500);
        if (reply.status >= 400) expect(reply.body.msg).toMatch(/\S/);
      }
    });
  },
);

describe.each(unsafe.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (path, endpoint) => {
  const post = (init: RequestInit) => organizer.request(path, { method: endpoint.method, ...init });
  const json = { 'content-type': 'application/json' };

  it('takes JSON only', async () => {
    const reply = await post({ headers: { 'content-type': 'text/plain' }, body: '{}' });

    expect(reply).toMatchObject({ status: 415, body: { msg: notJson } });
  });

  it.each(['{', '{"__proto__": {"isAdmin": true}}'])('refuses the text %s', async (body) => {
    expect(await post({ headers: json, body })).toMatchObject({ status: 400, body: { msg: unreadableBody } });
  });

  it('refuses what is too large', async () => {
    const body = JSON.stringify({ email: 'x'.repeat(70_000) });

    expect(await post({ headers: json, body })).toMatchObject({ status: 413, body: { msg: bodyTooLarge } });
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of ours', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that hides', { origin: 'null' }],
    ['a page that guesses the token', { 'x-xsrf-token': 'guess' }],
  ])('refuses %s', async (_case, headers) => {
    const reply = await post({ headers: { ...json, ...headers }, body: '{}' });

    expect(reply).toMatchObject({ status: 403, body: { msg: crossSite } });
  });
});

describe('an address that nothing has', () => {
  it.each(['/api/public/nothing', '/api', '/sandbox/nothing', '/nothing'])(
    '%s is 404 with a sentence',
    async (path) => {
      expect(await world.visitor().request(path)).toMatchObject({ status: 404, body: { msg: notFoundPage } });
    },
  );
});

describe('every answer', () => {
  it('carries the security headers and is not kept', async () => {
    const { headers } = await world.visitor().request('/api/public/event/unknown');

    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
