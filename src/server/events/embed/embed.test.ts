/** An event's tickets on websites of its organizer: which may frame them, and that nothing else can be framed. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent, createEvent, publicEvent } from '#contract/app/events.ts';
import { editEmbed, eventEmbed } from '#contract/app/programs/embed.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { duplicateEvent } from '#contract/app/sales/event-life.ts';
import { EMBED_SITES_MAX } from '#domain/embed/sites.ts';
import { embeddedTickets, embedSettings, embedSnippet } from '#messages/programs/embed.ts';
import { eventCancelled, eventNotFound } from '#messages/sales/event-page.ts';
import { buildApp } from '#server/main/app.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { noonIn } from '#tests/support/local-days.ts';
import { eventForm, eventOnSale, expectOk } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages, WEB_ROOT } from '#tests/support/test-app-with-pages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

type Seller = Pick<Awaited<ReturnType<typeof eventOnSale>>, 'visitor' | 'eventId'>;

const SITE = 'https://www.example.com';

const edit = ({ visitor, eventId }: Seller, change: { add?: string; remove?: string }) =>
  visitor.call(editEmbed, { eventId, ...change });

const list = async (seller: Seller, ...sites: string[]) => {
  for (const add of sites) expectOk(await edit(seller, { add }));
};

const sitesOf = async ({ visitor, eventId }: Seller) => expectOk(await visitor.call(eventEmbed, { eventId })).sites;

const open = (path: string, headers: Record<string, string> = {}) => fetch(app.publicUrl + path, { headers });

const ancestorsOf = (reply: Response) =>
  /frame-ancestors ([^;]*)/.exec(reply.headers.get('content-security-policy') ?? '')?.[1];

describe('the page for a frame', () => {
  it('can be framed by the websites that are listed, and by our own pages [EMBED-1 EMBED-2]', async () => {
    const seller = await eventOnSale(app);
    const path = `/embed/${seller.eventId}`;
    expect(ancestorsOf(await open(path))).toBe("'self'");

    await list(seller, SITE, 'https://shop.example:8443');
    const reply = await open(path);
    expect(reply.status).toBe(200);
    expect(ancestorsOf(reply)).toBe(`'self' ${SITE} https://shop.example:8443`);
    expect(reply.headers.get('x-frame-options')).toBeNull();
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    // Everything else of the policy is that of all pages.
    const policy = (of: Response) =>
      (of.headers.get('content-security-policy') ?? '').replace(/; frame-ancestors [^;]*/, '');
    const eventPage = await open(`/payment/${seller.eventId}`);
    expect(policy(reply)).toBe(policy(eventPage));
    expect(ancestorsOf(eventPage)).toBe("'none'");
    expect(eventPage.headers.get('x-frame-options')).toBe('DENY');

    expectOk(await edit(seller, { remove: SITE }));
    expect(ancestorsOf(await open(path))).toBe("'self' https://shop.example:8443");
  });

  it('has the same headers whether it is cached or rendered, and under another spelling', async () => {
    const seller = await eventOnSale(app);
    await list(seller, SITE);
    const replies = [];
    for (const path of [`/embed/${seller.eventId}`, `/embed/${seller.eventId}?from=blog`, `/EMBED/${seller.eventId}/`])
      replies.push(Object.fromEntries((await open(path)).headers));
    for (const name of ['x-request-id', 'date']) for (const headers of replies) delete headers[name];
    expect(replies[0]).toMatchObject({ 'cache-control': 'public, max-age=0, s-maxage=1', vary: 'accept-encoding' });
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[2]).toEqual(replies[0]);
  });

  it('is another page for a stored copy once the list changes, because a copy keeps its headers [EMBED-2]', async () => {
    const seller = await eventOnSale(app);
    const path = `/embed/${seller.eventId}`;
    await list(seller, SITE);
    const etag = (await open(path)).headers.get('etag') ?? '';
    for (const spelling of [path, `${path}/`]) {
      const known = await open(spelling, { 'if-none-match': etag });
      expect(known.status).toBe(304);
      for (const name of ['content-security-policy', 'x-frame-options']) expect(known.headers.get(name)).toBeNull();
    }

    expectOk(await edit(seller, { remove: SITE }));
    const changed = await open(path, { 'if-none-match': etag });
    expect([changed.status, ancestorsOf(changed)]).toEqual([200, "'self'"]);
  });

  it('follows the event at once [EMBED-1]', async () => {
    const seller = await eventOnSale(app);
    const path = `/embed/${seller.eventId}`;
    const { tickets, title } = expectOk(await app.call(publicEvent, { eventId: seller.eventId })) as {
      title: string;
      tickets: { ticketName: string }[];
    };
    const shown = await (await open(path)).text();
    for (const { ticketName } of tickets) expect(shown).toContain(ticketName);
    expect(shown).toContain(title);
    expect(shown).toContain('noindex');

    await app.db
      .updateTable('ticketTypes')
      .set({ name: 'Standing' })
      .where('eventId', '=', seller.eventId)
      .where('position', '=', 0)
      .execute();
    await app.db.updateTable('events').set({ title: 'Attic Strings' }).where('id', '=', seller.eventId).execute();
    await app.deps.changes.catchUp();
    expect(await (await open(path)).text()).toContain('Attic Strings');

    expectOk(await seller.visitor.call(cancelEvent, { eventId: seller.eventId }));
    const cancelled = await (await open(path)).text();
    expect(cancelled).toContain(eventCancelled);
    expect(cancelled).toContain(embeddedTickets.toEvent);
    expect(cancelled).not.toContain('Standing');
  });

  it('of an unknown event, and of a draft, says what the event page says, and cannot be framed [EMBED-2]', async () => {
    const seller = await eventOnSale(app);
    const draft = expectOk(await seller.visitor.call(createEvent, { ...eventForm(app), isDraft: true }));
    await list({ ...seller, eventId: draft.eventId }, SITE);
    for (const id of [draft.eventId, 'AAAAAAAAAAAAAAAA', 'x', '..%2F', '%00'])
      for (const visitor of [app.visitor(), seller.visitor]) {
        const reply = await visitor.fetch(`/embed/${id}`);
        expect([id, reply.status, ancestorsOf(reply)]).toEqual([id, 404, "'none'"]);
        expect(reply.headers.get('x-frame-options')).toBe('DENY');
        expect(await reply.text()).toContain(eventNotFound);
      }
  });

  it('is sent over https with what that needs', async () => {
    const seller = await eventOnSale(app);
    await list(seller, SITE);
    const https = await buildApp({
      deps: { ...app.deps, publicUrl: 'https://tickets.example' },
      trustedProxies: 0,
      isReady: async () => true,
      webRoot: WEB_ROOT,
      plugins: [],
    });
    const reply = await https.inject(`/embed/${seller.eventId}`);
    expect(reply.headers).toMatchObject({ 'strict-transport-security': 'max-age=63072000; includeSubDomains' });
    expect(reply.headers['content-security-policy']).toContain(`frame-ancestors 'self' ${SITE}`);
    await https.close();
  });
});

describe('every other page', () => {
  it('refuses to be framed, also for a listed website [EMBED-2]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await list(seller, SITE);
    const routes = await readFile(new URL('../../../web/routes.tsx', import.meta.url), 'utf8');
    const paths = [...routes.matchAll(/'(\/[^']*)'/g)].map(([, path = '']) =>
      path.replace(':eventId', eventId).replace(/:\w+/g, 'x'),
    );
    expect(paths.length).toBeGreaterThan(45);
    expect(paths).toContain(`/embed/${eventId}/checkout`);
    for (const path of [
      ...paths,
      `/embed/${eventId}/x`,
      '/embed',
      '/embed/',
      '/embed.js',
      `/api/public/event/${eventId}`,
    ]) {
      const reply = await seller.visitor.fetch(path, { headers: { accept: 'text/html', origin: SITE } });
      expect([path, ancestorsOf(reply)]).toEqual([path, "'none'"]);
      expect([path, reply.headers.get('x-frame-options')]).toEqual([path, 'DENY']);
    }
  });
});

describe('the element', () => {
  it('is a small script for any website, without a version, for a few minutes [EMBED-1]', async () => {
    const reply = await open('/embed.js');
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400');
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(gzipSync(await reply.text(), { level: 9 }).length).toBeLessThan(2000);
  });
});

describe('the list of websites', () => {
  it('has each once, as browsers write it, and a snippet for them [EMBED-1]', async () => {
    const seller = await eventOnSale(app);
    await list(seller, SITE, ' HTTPS://WWW.EXAMPLE.COM:443/ ', 'https://bücher.example', SITE);
    expect(await sitesOf(seller)).toEqual([SITE, 'https://xn--bcher-kva.example']);
    expectOk(await edit(seller, { remove: 'https://never.example' }));
    expectOk(await edit(seller, { add: 'https://new.example', remove: SITE }));
    expect(await sitesOf(seller)).toEqual(['https://xn--bcher-kva.example', 'https://new.example']);

    const { snippet, isDraft } = expectOk(await seller.visitor.call(eventEmbed, { eventId: seller.eventId }));
    expect(isDraft).toBe(false);
    expect(snippet).toContain(`<script async src="${app.publicUrl}/embed.js"></script>`);
    expect(snippet).toContain(`<handstamp-tickets event="${seller.eventId}">`);
  });

  it('is set up as the guide says [EMBED-1]', async () => {
    const guide = await readFile(new URL('../../../../docs/embed.md', import.meta.url), 'utf8');
    for (const label of [embedSettings.open, embedSettings.sites, embedSettings.copy, embedSettings.preview])
      expect(guide).toMatch(new RegExp(`\\*${label}\\*`));
    const publicUrl = 'https://tickets.example';
    const eventId = 'AbCdEfGhIjKlMnOp';
    const snippet = embedSnippet({ publicUrl, eventId, eventUrl: `${publicUrl}/payment/${eventId}` });
    expect(guide.replaceAll('\n   ', '\n')).toContain(`\`\`\`html\n${snippet}\n\`\`\``);
  });

  it.each([
    '',
    '*',
    'https://*.example.com',
    'https://example.com/tickets',
    'https://example.com//',
    'https://example.com?x',
    'https://user:secret@example.com',
    'http://example.com',
    'example.com',
    'javascript:alert(1)',
    "https://example.com 'unsafe-inline'",
    'https://example.com;script-src *',
    'https://example.com,https://other.example',
    'https://example.com\r\nx-header: 1',
    'https://example.com\\@other.example',
    'https://0x7f.1',
    'https://203.0.113.5',
    'https://localhost',
  ])('refuses %j, and keeps what it has [EMBED-2]', async (add) => {
    const seller = await eventOnSale(app);
    await list(seller, SITE);
    expect(await edit(seller, { add })).toMatchObject({ status: 400, body: errorBody('embed.origin-invalid') });
    expect(await sitesOf(seller)).toEqual([SITE]);
  });

  it('takes this machine in the sandbox only', async () => {
    const seller = await eventOnSale(app);
    await list(seller, 'http://localhost:8080', 'http://127.0.0.1:3000');
    expect(ancestorsOf(await open(`/embed/${seller.eventId}`))).toBe(
      "'self' http://localhost:8080 http://127.0.0.1:3000",
    );
  });

  it(`has at most ${EMBED_SITES_MAX}, also when two members add one at once [EMBED-1]`, async () => {
    const seller = await eventOnSale(app);
    const sites = Array.from({ length: EMBED_SITES_MAX }, (_, index) => `https://site-${index}.example`);
    await list(seller, ...sites.slice(1));
    const replies = await Promise.all(
      [0, 1, 2].map((index) => edit(seller, { add: `https://another-${index}.example` })),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect(await edit(seller, { add: 'https://more.example' })).toMatchObject({
      status: 409,
      body: errorBody('embed.too-many'),
    });
    // One that is listed can be added again.
    expectOk(await edit(seller, { add: sites[1] ?? '' }));
    expect(await sitesOf(seller)).toHaveLength(EMBED_SITES_MAX);
  });

  it('goes with a copy of the event, and with the dates that are added to it [EMBED-1]', async () => {
    const seller = await eventOnSale(app);
    const { visitor, eventId } = seller;
    await list(seller, SITE);
    const copy = expectOk(await visitor.call(duplicateEvent, { eventId, duplicateId: randomUUID() }));
    expect(await sitesOf({ visitor, eventId: copy.eventId })).toEqual([SITE]);
    const dates = [noonIn(app.now(), 40)];
    const added = expectOk(await visitor.call(addDates, { eventId, dates, requestId: randomUUID() }));
    expect(added.eventIds).toHaveLength(1);
    for (const id of added.eventIds) expect(ancestorsOf(await open(`/embed/${id}`))).toBe(`'self' ${SITE}`);
  });

  it('is the business of its organization [EMBED-1]', async () => {
    const [mine, theirs] = [await eventOnSale(app), await eventOnSale(app)];
    const foreign = { visitor: mine.visitor, eventId: theirs.eventId };
    expect(await edit(foreign, { add: SITE })).toMatchObject({ status: 404, body: errorBody('event.not-found') });
    expect(await mine.visitor.call(eventEmbed, { eventId: theirs.eventId })).toMatchObject({ status: 404 });
    expect(await edit({ visitor: app.visitor(), eventId: mine.eventId }, { add: SITE })).toMatchObject({ status: 401 });
    expect(await sitesOf(theirs)).toEqual([]);
  });
});
