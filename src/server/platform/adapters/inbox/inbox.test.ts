import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#server/main/app.ts';
import { isDirectLoopback } from '#server/platform/http/direct-loopback.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { inboxRoutes } from './inbox.routes.ts';

let app: TestApp;
const BUYER = 'sam+brass@example.com';
beforeAll(async () => {
  app = await startTestApp({ hasOrganizers: false });
  const { email } = await newOrganizer(app);
  const { orderId, eventId } = await soldOrder(app.db, {
    organizerEmail: email,
    buyerEmail: BUYER,
    title: 'Brass & <i>Bass</i>',
  });
  const queued = { kind: 'tickets' as const, subjectId: orderId, toAddress: BUYER, params: { eventId } };
  await queueEmail(app.db, { ...queued, now: app.now() });
  await queueEmail(app.db, { ...queued, version: 2, now: app.now() });
  await app.settle();
});
afterAll(() => app.close());

const get = (path: string) => app.visitor().fetch(path);
const text = async (path: string) => (await get(path)).text();
interface ListedEmail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  at: string;
}
async function list(to?: string): Promise<ListedEmail[]> {
  const path = `/sandbox/inbox.json${to === undefined ? '' : `?to=${to}`}`;
  return (await app.visitor().request<ListedEmail[]>(path)).body;
}

describe('the inbox', () => {
  it('lists the emails to an address as JSON, newest first', async () => {
    const emails = await list(encodeURIComponent(BUYER.toUpperCase()));

    expect(emails.map(({ to, subject }) => [to, subject])).toEqual(
      Array(2).fill([BUYER, 'Brass & <i>Bass</i>: your ticket']),
    );
    expect(emails.map(({ at }) => at)).toEqual(
      emails
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect(emails[0]?.from).toBe('Handstamp <tickets@handstamp.example>');
    expect(emails[0]?.text).toContain('Confirmation number');
    expect(await list()).toHaveLength(3);
    expect(await list(BUYER)).toHaveLength(2);
    expect(await list('nobody@example.com')).toEqual([]);
  });

  it('shows the list and an email as pages, with HTML escaped', async () => {
    const [message] = await list(encodeURIComponent(BUYER));

    const page = await text('/sandbox/inbox');
    expect(page).toContain(`href="/sandbox/inbox/${message?.id}"`);
    const shown = await text(`/sandbox/inbox/${message?.id}`);
    expect(shown).toContain(`src="/sandbox/inbox/${message?.id}/html"`);
    for (const html of [page, shown]) {
      expect(html).toContain('Brass &amp; &lt;i&gt;Bass&lt;/i&gt;: your ticket');
      expect(html).not.toMatch(/<i>Bass|<style|<script|style="/);
    }
    expect(await text('/sandbox/inbox?to=nobody@example.com')).toContain('No email yet.');
  });

  it('shows styles and inline images of an email, but runs no scripts', async () => {
    const [message] = await list(encodeURIComponent(BUYER));
    const reply = await get(`/sandbox/inbox/${message?.id}/html`);
    const policy = reply.headers.get('content-security-policy');
    expect(policy).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );

    const [cover = '', code = ''] = [...(await reply.text()).matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src);
    expect((await get(cover)).headers.get('content-type')).toBe('image/jpeg');
    const part = await get(code);
    expect(part.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await part.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('offers the raw message for download', async () => {
    const [message] = await list(encodeURIComponent(BUYER));
    const reply = await get(`/sandbox/inbox/${message?.id}.eml`);

    expect(reply.headers.get('content-type')).toBe('message/rfc822');
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${message?.id}.eml"`);
    expect(await reply.text()).toMatch(/^Message-ID: <.+>\r\n/im);
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    'x',
    '00000000-0000-0000-0000-000000000000/html',
    'x/parts/0',
    "'.eml",
  ])('answers %j with 404', async (id) => {
    expect((await get(`/sandbox/inbox/${id}`)).status).toBe(404);
  });

  it('answers 404 for an unknown part', async () => {
    const [message] = await list(encodeURIComponent(BUYER));
    for (const part of ['3', '-1', 'length', '__proto__'])
      expect((await get(`/sandbox/inbox/${message?.id}/parts/${part}`)).status).toBe(404);
  });
});

describe('access to the inbox', () => {
  const local = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' } };

  it.each([
    local,
    { ...local, remoteAddress: '::1' },
    { ...local, remoteAddress: '::ffff:127.0.0.1' },
    { ...local, headers: { host: '[::1]:3000' } },
    { ...local, headers: { host: '127.0.0.1' } },
    { ...local, headers: { host: 'LOCALHOST' } },
  ])('is allowed from this machine: %j [OPS-4]', (origin) => {
    expect(isDirectLoopback(origin)).toBe(true);
  });

  it.each([
    { ...local, remoteAddress: '192.168.1.7' },
    { ...local, remoteAddress: undefined },
    { ...local, headers: { ...local.headers, 'x-forwarded-for': '203.0.113.9' } },
    { ...local, headers: { ...local.headers, forwarded: 'for=203.0.113.9' } },
    { ...local, headers: { ...local.headers, 'x-forwarded-proto': 'https' } },
    { ...local, headers: { ...local.headers, via: '1.1 proxy' } },
    { ...local, headers: { host: 'evil.example' } },
    { ...local, headers: { host: 'localhost.evil.example' } },
    { ...local, headers: { host: '127.0.0.1.evil.example' } },
    { ...local, headers: { host: 'evil.example@localhost.evil' } },
    { ...local, headers: {} },
  ])('is denied otherwise: %j [OPS-4]', (origin) => {
    expect(isDirectLoopback(origin)).toBe(false);
  });

  it('is denied by the public host name, which a proxy forwards for everyone [OPS-4]', async () => {
    const deps = { ...app.deps, publicUrl: 'https://tickets.example' };
    const inbox = (scope: Parameters<typeof inboxRoutes>[0]) => inboxRoutes(scope, { db: app.db, isOpen: false });
    const options = { deps, trustedProxies: 0, isReady: async () => true, webRoot: null };
    const server = await buildApp({ ...options, plugins: [inbox] });
    const statusOf = async (host: string) =>
      (await server.inject({ url: '/sandbox/inbox.json', headers: { host } })).statusCode;

    expect([await statusOf('tickets.example'), await statusOf('localhost:3000')]).toEqual([404, 200]);
    await server.close();
  });

  it.each([
    ['is checked on every path of the inbox', false, 404],
    ["is everyone's on every path once it is open", true, 200],
  ])('%s [OPS-4]', async (_what, isOpen, fromElsewhere) => {
    const inbox = (scope: Parameters<typeof inboxRoutes>[0]) => inboxRoutes(scope, { db: app.db, isOpen });
    const options = { deps: app.deps, trustedProxies: 0, isReady: async () => true, webRoot: null };
    const server = await buildApp({ ...options, plugins: [inbox] });
    const [message] = await list(BUYER);
    const paths = [
      '',
      '.json',
      '.css',
      `/${message?.id}`,
      `/${message?.id}.eml`,
      `/${message?.id}/html`,
      `/${message?.id}/parts/0`,
    ];
    for (const path of paths) {
      const url = `/sandbox/inbox${path}`;
      expect([url, (await server.inject({ url })).statusCode]).toEqual([url, 200]);
      for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { host: 'tickets.example' }])
        expect([url, (await server.inject({ url, headers })).statusCode]).toEqual([url, fromElsewhere]);
    }
    await server.close();
  });
});
