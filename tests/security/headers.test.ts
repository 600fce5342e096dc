/** What every kind of response tells the browser: what to run, load, frame, cache, and send as referrer. */
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#server/main/app.ts';
import { connectionTimes } from '#server/platform/http/connections.ts';
import { commonHeaders } from '#server/platform/http/headers.ts';
import { shedLoad } from '#server/platform/http/shed-load.ts';
import { smallPhoto } from '#tests/support/call-samples.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, emailsTo, eventOnSale, expectOk, generalAdmission, openCheckout } from '#tests/support/people.ts';
import { sendRaw } from '#tests/support/raw-connection.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages, WEB_ROOT } from '#tests/support/test-app-with-pages.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';

const UNKNOWN_ID = 'AAAAAAAAAAAAAAAA';

let app: TestApp;
let https: FastifyInstance;
let organizer: Visitor;
let eventId: string;
let photo: string;
let payPage: string;
let emailId: string;
let script: string;

beforeAll(async () => {
  app = await startTestAppWithPages();
  const event = await eventOnSale(app);
  ({ visitor: organizer, eventId } = event);
  photo = await addOnePhoto();
  payPage = new URL((await openCheckout(app, eventId, generalAdmission(1))).url).pathname;
  await buyTickets(app, eventId, generalAdmission(1), 'sam@example.com');
  emailId = (await emailsTo(app, 'sam@example.com'))[0]?.id ?? '';
  script = /src="(\/static\/[^"]+\.js)"/.exec(await (await organizer.fetch('/')).text())?.[1] ?? '';
  https = await buildApp({
    deps: { ...app.deps, publicUrl: 'https://tickets.example' },
    trustedProxies: 0,
    isReady: async () => true,
    webRoot: WEB_ROOT,
    plugins: [],
  });
});
afterAll(async () => {
  await https?.close();
  await app?.close();
});

async function addOnePhoto(): Promise<string> {
  const { eventPhotos } = expectOk(await uploadPhotos(organizer, eventId, [['a.png', await smallPhoto()]]));
  return new URL(eventPhotos[0] ?? '').pathname;
}

const HTML = { accept: 'text/html' };
const POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
const get = (path: string, init: RequestInit = {}) => organizer.fetch(path, init);

const pages: [what: string, status: number, ask: () => Promise<Response>][] = [
  ['a page that is the same for everyone', 200, () => get('/')],
  ['an event page', 200, () => get(`/payment/${eventId}`)],
  ['an event page under another spelling', 200, () => get(`/PAYMENT/${eventId}/`)],
  ['the page of an unknown event', 404, () => get(`/payment/${UNKNOWN_ID}`)],
  ['the page of an unknown series', 404, () => get(`/series/${UNKNOWN_ID}`)],
  ['a page rendered in the browser', 200, () => get('/profile')],
  ['a refund page', 200, () => get(`/refund/${eventId}`)],
  ['an unknown page', 404, () => get('/nowhere', { headers: HTML })],
];
const calls: typeof pages = [
  ['an endpoint', 200, () => get('/api/protected/profile')],
  ['an endpoint that changes state', 200, () => get('/api/protected/logout', { ...POST, headers: {}, body: null })],
  ['an endpoint without a session', 401, () => fetch(`${app.publicUrl}/api/protected/profile`)],
  [
    'an endpoint called from another site',
    403,
    () => get('/api/public/register', { ...POST, headers: { ...POST.headers, origin: 'https://x.example' } }),
  ],
  ['an invalid call', 400, () => get('/api/public/register', POST)],
  ['an unknown endpoint', 404, () => get('/api/public/nothing')],
  ['a call about an unknown event', 404, () => get(`/api/public/event/${UNKNOWN_ID}`)],
  ['a call that is too long', 413, () => get('/api/public/register', { ...POST, body: 'x'.repeat(70_000) })],
  [
    'a call with another content type',
    415,
    () => get('/api/public/register', { ...POST, headers: { 'content-type': 'text/xml' } }),
  ],
  ['an unreadable URL', 400, () => get('/%zz')],
  ['a forged webhook', 400, () => get('/api/webhooks/stripe', POST)],
];
const files: typeof pages = [
  ['a script', 200, () => get(script)],
  ['the service worker', 200, () => get('/worker.js')],
  ['the web app manifest', 200, () => get('/manifest.webmanifest')],
  ['a scanner icon', 200, () => get('/icon-192.png')],
  ['an unknown file', 404, () => get('/static/none.js')],
  ['a health check', 200, () => get('/livez')],
  ['protected metrics', 404, () => get('/metrics')],
];
const played: typeof pages = [
  ['a payment page', 200, () => get(payPage)],
  ['an unknown payment page', 404, () => get('/sandbox/pay/cs_test_none')],
  ['the sandbox console', 200, () => get('/sandbox/')],
  ['a redirect', 303, () => get('/sandbox')],
  ['the inbox', 200, () => get('/sandbox/inbox')],
  ['an email in the inbox', 200, () => get(`/sandbox/inbox/${emailId}`)],
  ['the inbox as JSON', 200, () => get('/sandbox/inbox.json')],
];

const policyOf = (reply: Response) =>
  Object.fromEntries(
    (reply.headers.get('content-security-policy') ?? '').split('; ').map((line) => {
      const [directive = '', ...sources] = line.split(' ');
      return [directive, sources.join(' ')];
    }),
  );

/** Requested before the log-out in the list, because the CSV needs its session. */
it('sends the guest list as a download only', async () => {
  const reply = await get(`/api/protected/event/${eventId}/guests.csv`);
  expect(reply.status).toBe(200);
  expectOfAll(reply);
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

function expectOfAll({ headers }: Response) {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('permissions-policy')).toBe('camera=(self), geolocation=(), microphone=(), payment=()');
  expect(headers.get('referrer-policy')).toMatch(/^(strict-origin-when-cross-origin|same-origin|no-referrer)$/);
  // Also no header that only https allows, and none that names the server software.
  for (const absent of ['strict-transport-security', 'server', 'x-powered-by', 'access-control-allow-origin'])
    expect(headers.get(absent)).toBeNull();
}

describe.each([...pages, ...calls, ...files, ...played])('%s', (_what, status, ask) => {
  it('runs no inline script, builds no HTML from strings, and cannot be framed', async () => {
    const reply = await ask();
    expect(reply.status).toBe(status);
    expectOfAll(reply);
    const policy = policyOf(reply);
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'style-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    });
    // One Trusted Types policy allows only the service worker's URL, the other HTML for a frame without scripts.
    expect(policy['trusted-types']).toMatch(/^('none'|worker preview)$/);
    expect(policy['script-src']).toMatch(/^('none'|'self' 'wasm-unsafe-eval')$/);
    expect(Object.values(policy).join(' ')).not.toMatch(/unsafe-inline|'unsafe-eval'|nonce-|\*|http:/);
  });
});

describe('the sandbox and its inbox', () => {
  it.each(played)('%s needs no script, and sends its referrer only to itself', async (_what, _status, ask) => {
    const reply = await ask();
    expect(policyOf(reply)).toMatchObject({
      'script-src': "'none'",
      'connect-src': "'none'",
      'worker-src': "'none'",
      'frame-src': "'self'",
      'trusted-types': "'none'",
    });
    expect(reply.headers.get('referrer-policy')).toBe('same-origin');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it('an email can style its frame, and do nothing else', async () => {
    const reply = await get(`/sandbox/inbox/${emailId}/html`);
    expect(policyOf(reply)).toEqual({
      'default-src': "'none'",
      'style-src': "'unsafe-inline'",
      'img-src': "'self' data:",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'self'",
    });
    expect(reply.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    const file = await get(`/sandbox/inbox/${emailId}.eml`);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('the files of the installed scanner', () => {
  it.each([
    ['/worker.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['/icon-192.png', 'image/png'],
    ['/icon-512.png', 'image/png'],
    ['/icon-maskable-512.png', 'image/png'],
  ])('%s has its declared type, and is revalidated each time so that updates arrive', async (path, type) => {
    const reply = await get(path);
    expect(reply.headers.get('content-type')).toBe(type);
    expect(reply.headers.get('cache-control')).toBe('no-cache');
  });

  it('the service worker connects only to our origin, and keeps to its scope', async () => {
    const reply = await get('/worker.js');
    expect(policyOf(reply)).toMatchObject({ 'default-src': "'none'", 'connect-src': "'self'" });
    expect(reply.headers.get('service-worker-allowed')).toBeNull();
  });

  it('the service worker caches only existing files, each under a name that never changes', async () => {
    const kept = new Set((await (await get('/worker.js')).text()).match(/\/static\/[\w./-]+/g));
    for (const kind of ['.js', '.css', '.woff2', '.wasm'])
      expect([...kept].filter((file) => file.endsWith(kind))).not.toEqual([]);
    for (const file of kept) {
      const reply = await get(file);
      expect([file, reply.status]).toEqual([file, 200]);
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });
});

it('names the charset of an image in SVG, which is text', async () => {
  const icon = /href="(\/static\/[^"]+\.svg)"/.exec(await (await get('/')).text())?.[1] ?? '';
  expect((await get(icon)).headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
});

const IMAGE_POLICY = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

describe('caching', () => {
  it.each(calls)('%s: not allowed', async (_what, _status, ask) => {
    expect((await ask()).headers.get('cache-control')).toBe('no-store');
  });

  it('a public event: for a second, and its page only after revalidation', async () => {
    const reply = await get(`/api/public/event/${eventId}`);
    expect(reply.headers.get('cache-control')).toMatch(/^public, max-age=1\b/);
    expectOfAll(reply);
    const page = await get(`/payment/${eventId}`);
    expect(page.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1');
    expect(page.headers.get('set-cookie')).toBeNull();
  });

  it('an unchanged page keeps the headers it was cached with', async () => {
    const etag = (await get(`/payment/${eventId}`)).headers.get('etag') ?? '';
    for (const path of [`/payment/${eventId}`, `/PAYMENT/${eventId}`]) {
      const reply = await get(path, { headers: { 'if-none-match': etag } });
      expect(reply.status).toBe(304);
      const policy = reply.headers.get('content-security-policy');
      if (policy !== null) expect(policyOf(reply)).toEqual(policyOf(await get(path)));
    }
  });

  it.each([
    '/profile',
    '/door/x',
    '/events/new',
    '/events/x/page',
    '/events/x/tickets',
    '/dashboard',
    '/change-email',
    '/confirm-email-change?token=x',
    '/undo-email-change?token=x',
    '/invitation?token=x',
    '/verify-email?token=x',
    '/reset-password/x',
    '/refund/a/b',
    '/checked-in/a/b',
    '/checkout/a',
  ])('%s: not by browsers, so that going back shows the next user nothing', async (path) =>
    expect((await get(path)).headers.get('cache-control')).toBe('no-store'),
  );

  it('a photo: forever, and never as a page, whatever its bytes', async () => {
    const reply = await get(photo);
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(reply.headers.get('content-security-policy')).toBe(IMAGE_POLICY);
    expect(reply.headers.get('content-type')).toBe('image/webp');
    expectOfAll(reply);
  });

  it('a card for shared links: for minutes, on any site', async () => {
    const reply = await get(`/og/${eventId}.png`);
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(reply.headers.get('content-security-policy')).toBe(IMAGE_POLICY);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a URL that holds a secret', () => {
  it.each([
    '/success?session_id=cs_1',
    '/Success?session_id=cs_1',
    '/confirm-email-change?token=x',
    '/undo-email-change?token=x',
    '/invitation?token=x',
    '/verify-email?token=x',
    '/reset-password/x',
    '/refund/a/b',
    '/checked-in/a/b',
    '/checkout/a',
  ])('%s is not sent as referrer to other sites', async (path) =>
    expect((await get(path)).headers.get('referrer-policy')).toBe('no-referrer'),
  );
});

describe('on https', () => {
  it.each(['/', '/profile', '/nowhere', '/api/protected/profile', '/livez'])(
    '%s is never requested over http again',
    async (url) => {
      const { headers } = await https.inject({ url, headers: HTML });
      expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
    },
  );

  it('so is the event page, which is cached as finished bytes', async () => {
    for (const url of [`/payment/${eventId}`, `/api/public/event/${eventId}`]) {
      const { headers } = await https.inject({ url, headers: HTML });
      expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
      expect(headers['content-security-policy']).toContain('trusted-types worker preview');
    }
  });
});

describe('a response sent before the framework runs', () => {
  beforeAll(async () => {
    await https.listen({ port: 0, host: '127.0.0.1' });
    for (const { server } of [app.server, https]) server.headersTimeout = 300;
  });
  afterAll(() => {
    app.server.server.headersTimeout = connectionTimes.http.headersTimeout;
  });

  it.each([
    ['a malformed request', 400, 'GET /<script>alert(1)</script> HTTP/9.9\r\nno header\r\n\r\n'],
    ['headers that are too long', 431, `GET /livez HTTP/1.1\r\nhost: a\r\nx-long: ${'a'.repeat(17 * 1024)}\r\n\r\n`],
    ['headers that do not arrive', 408, 'GET /livez HTTP/1.1\r\nhost: a\r\nx-slow: '],
  ])('is text that no browser renders and no cache stores: to %s', async (_what, status, sent) => {
    const [plain, secure] = [await rawAnswer(app.publicUrl, sent), await rawAnswer(https.listeningOrigin, sent)];

    expect([plain.status, secure.status]).toEqual([status, status]);
    expectOfAll(plain);
    expect(policyOf(plain)).toMatchObject({ 'default-src': "'none'", 'trusted-types': 'worker preview' });
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(plain.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(await plain.json())).toEqual(['code', 'params', 'msg']);
    expect(secure.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  });

  it('carries a unique request id when the process is overloaded', async () => {
    const late = Fastify();
    shedLoad(late, commonHeaders(app.publicUrl), { delayMs: () => 10_000, stop: () => {} });
    const url = `${await late.listen({ port: 0, host: '127.0.0.1' })}/api/protected/profile`;
    const replies = [await fetch(url), await fetch(url)];
    await late.close();

    for (const reply of replies) {
      expect(reply.status).toBe(503);
      expectOfAll(reply);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    const ids = replies.map(({ headers }) => headers.get('x-request-id'));
    expect(ids).toEqual(Array(2).fill(expect.stringMatching(/^[\da-f-]{36}$/)));
    expect(new Set(ids).size).toBe(2);
  });
});

async function rawAnswer(url: string, sent: string): Promise<Response> {
  const [head = '', body] = (await sendRaw(url, sent)).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    return [name, value];
  });
  return new Response(body, { status: Number(first.split(' ')[1]), headers });
}

it('names the security contact for at most a year, as RFC 9116 requires', async () => {
  const reply = await get('/.well-known/security.txt');
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expectOfAll(reply);
  const fields = new Map(
    (await reply.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );
  expect(fields.get('Contact')).toBe('mailto:tickets@handstamp.example');
  expect(fields.get('Canonical')).toBe(`${app.publicUrl}/.well-known/security.txt`);
  const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / (24 * 60 * 60 * 1000);
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});
