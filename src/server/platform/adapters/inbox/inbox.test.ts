import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#server/main/app.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { isDirectLoopback } from './direct-loopback.ts';
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
  const mail = { kind: 'tickets' as const, subjectId: orderId, toAddress: BUYER, params: { eventId } };
  await queueEmail(app.db, { ...mail, now: app.now() });
  await queueEmail(app.db, { ...mail, version: 2, now: app.now() });
  await app.settle();
});
afterAll(() => app.close());

const get = (path: string) => app.visitor().fetch(path);
const text = async (path: string) => (await get(path)).text();
interface ListedMail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  at: string;
}
async function list(to?: string): Promise<ListedMail[]> {
  const path = `/sandbox/inbox.json${to === undefined ? '' : `?to=${to}`}`;
  return (await app.visitor().request<ListedMail[]>(path)).body;
}

describe('the inbox', () => {
  it('tells programs what arrived for an address, the newest first', async () => {
    const mails = await list(encodeURIComponent(BUYER.toUpperCase()));

    expect(mails.map(({ to, subject }) => [to, subject])).toEqual(
      Array(2).fill([BUYER, 'Brass & <i>Bass</i>: your ticket']),
    );
    expect(mails.map(({ at }) => at)).toEqual(
      mails
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect(mails[0]?.from).toBe('Handstamp <tickets@handstamp.example>');
    expect(mails[0]?.text).toContain('Confirmation number');
    expect(await list()).toHaveLength(3);
    expect(await list(BUYER)).toHaveLength(2);
    expect(await list('nobody@example.com')).toEqual([]);
  });

  it('shows people the list and the mail, with names as they were written', async () => {
    const [mail] = await list(encodeURIComponent(BUYER));

    const page = await text('/sandbox/inbox');
    expect(page).toContain(`href="/sandbox/inbox/${mail?.id}"`);
    const shown = await text(`/sandbox/inbox/${mail?.id}`);
    expect(shown).toContain(`src="/sandbox/inbox/${mail?.id}/html"`);
    for (const html of [page, shown]) {
      expect(html).toContain('Brass &amp; &lt;i&gt;Bass&lt;/i&gt;: your ticket');
      expect(html).not.toMatch(/<i>Bass|<style|<script|style="/);
    }
    expect(await text('/sandbox/inbox?to=nobody@example.com')).toContain('No mail yet.');
  });

  it('lets the mail look as it likes and do nothing, with its pictures in place', async () => {
    const [mail] = await list(encodeURIComponent(BUYER));
    const reply = await get(`/sandbox/inbox/${mail?.id}/html`);
    const policy = reply.headers.get('content-security-policy');
    expect(policy).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );

    const picture = /<img src="([^"]+)"/.exec(await reply.text())?.[1] ?? '';
    const part = await get(picture);
    expect(part.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await part.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('hands out the message itself', async () => {
    const [mail] = await list(encodeURIComponent(BUYER));
    const reply = await get(`/sandbox/inbox/${mail?.id}.eml`);

    expect(reply.headers.get('content-type')).toBe('message/rfc822');
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${mail?.id}.eml"`);
    expect(await reply.text()).toMatch(/^Message-ID: <.+>\r\n/im);
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    'x',
    '00000000-0000-0000-0000-000000000000/html',
    'x/parts/0',
    "'.eml",
  ])('has no mail %j', async (id) => {
    expect((await get(`/sandbox/inbox/${id}`)).status).toBe(404);
  });

  it('has no part that the mail does not have', async () => {
    const [mail] = await list(encodeURIComponent(BUYER));
    for (const part of ['1', '-1', 'length', '__proto__'])
      expect((await get(`/sandbox/inbox/${mail?.id}/parts/${part}`)).status).toBe(404);
  });
});

describe('who may read the inbox', () => {
  const here = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' } };

  it.each([
    here,
    { ...here, remoteAddress: '::1' },
    { ...here, remoteAddress: '::ffff:127.0.0.1' },
    { ...here, headers: { host: '[::1]:3000' } },
    { ...here, headers: { host: 'tickets.example' } },
  ])('someone at this machine: %j', (arrival) => {
    expect(isDirectLoopback(arrival, 'https://tickets.example')).toBe(true);
  });

  it.each([
    { ...here, remoteAddress: '192.168.1.7' },
    { ...here, remoteAddress: undefined },
    { ...here, headers: { ...here.headers, 'x-forwarded-for': '203.0.113.9' } },
    { ...here, headers: { ...here.headers, forwarded: 'for=203.0.113.9' } },
    { ...here, headers: { host: 'evil.example' } },
    { ...here, headers: {} },
  ])('nobody else: %j', (arrival) => {
    expect(isDirectLoopback(arrival, 'https://tickets.example')).toBe(false);
  });

  it('is asked about every address of the inbox', async () => {
    const inbox = (scope: Parameters<typeof inboxRoutes>[0]) => inboxRoutes(scope, { db: app.db, isOpen: false });
    const options = { deps: app.deps, trustedProxies: 0, isReady: async () => true, webRoot: null };
    const server = await buildApp({ ...options, plugins: [inbox] });
    const [mail] = await list(BUYER);
    const paths = [
      '',
      '.json',
      '.css',
      `/${mail?.id}`,
      `/${mail?.id}.eml`,
      `/${mail?.id}/html`,
      `/${mail?.id}/parts/0`,
    ];
    for (const path of paths) {
      const url = `/sandbox/inbox${path}`;
      expect([url, (await server.inject({ url })).statusCode]).toEqual([url, 200]);
      const throughProxy = await server.inject({ url, headers: { 'x-forwarded-for': '203.0.113.9' } });
      expect([url, throughProxy.statusCode]).toEqual([url, 404]);
    }
    await server.close();
  });
});
