/** What the public sees of an organization: its page, its calendar, its colors, and what search engines list. */
import ical from 'ical.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { suspendOrganization } from '#contract/app/brakes.ts';
import { cancelEvent, createEvent, editEvent, publicEvent } from '#contract/app/events.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { organizerPage as text } from '#messages/sales/organizer-page.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { at } from '#tests/support/money.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { openPage, sendLogo } from '#tests/support/organizer-pages.ts';
import { buyTickets, eventForm, expectOk, generalAdmission, openCheckout } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';
import { formatShort } from '#web/ui/data/format.ts';
import { sitemapPage } from './sitemap.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

const VISIBLE_WITHIN_MS = 500;
const NO_INDEX = '<meta name="robots" content="noindex">';

const get = (path: string) =>
  fetch(app.publicUrl + path, { redirect: 'manual', headers: { accept: 'text/html,application/xhtml+xml' } });
const textAt = async (path: string) => (await get(path)).text();
const eventPath = (eventId: string) => `/payment/${eventId}`;

const edit = async (
  { visitor }: Awaited<ReturnType<typeof openPage>>,
  change: InputOf<typeof editOrganizationPage>,
): Promise<unknown> => expectOk(await visitor.call(editOrganizationPage, change));

describe('the page of an organization', () => {
  it('shows what it is, and its coming events [PAGE-1]', async () => {
    const page = await openPage(app, { website: 'https://www.cooperage.example' }, { venueName: 'The Cooperage' });
    const { logo } = expectOk(await sendLogo(page.visitor, [await posterPhoto('logo')]));
    const sooner = expectOk(await page.visitor.call(createEvent, eventForm(app, { title: 'Attic Strings' })));

    const html = await textAt(`/o/${page.slug}`);

    for (const shown of [
      'Cooperage Nights',
      'cooperage.example',
      'Basement Brass',
      'The Cooperage, Brooklyn, NY',
      'From $24.00',
      text.sale['on-sale'],
    ])
      expect(html).toContain(shown);
    expect(html).toContain(new URL(logo).pathname);
    expect(html).toContain(`href="/payment/${sooner.eventId}"`);
    expect(html).toContain(`href="/contact/`);
    expect(html).toContain(`href="/o/${page.slug}/calendar.ics"`);
    expect(html).toContain(`<link rel="canonical" href="${app.publicUrl}/o/${page.slug}">`);
    expect(html).not.toContain(page.email);
    expect(html).not.toContain(' style=');
  });

  it('has the headers of an event page, and answers 304 [PAGE-1]', async () => {
    const { slug, eventId } = await openPage(app);
    const [first, event] = [await get(`/o/${slug}`), await get(eventPath(eventId))];
    for (const name of ['cache-control', 'vary', 'content-security-policy', 'content-type'])
      expect([name, first.headers.get(name)]).toEqual([name, event.headers.get(name)]);
    const etag = first.headers.get('etag') ?? '';
    for (const path of [`/o/${slug}`, `/o/${slug}?utm_source=email`])
      expect((await fetch(app.publicUrl + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get(`/o/${slug.toUpperCase()}`)).status).toBe(200);
  });

  it('lists no unlisted, cancelled, ended or foreign event [PAGE-1 PAGE-2]', async () => {
    const page = await openPage(app);
    const other = await openPage(app, {}, { title: 'Foreign' });
    expect(await textAt(`/o/${page.slug}`)).not.toContain('Foreign');
    await editEventOf(app, page, { isListed: false });
    expect(await textAt(`/o/${page.slug}`)).toContain(text.empty);
    await editEventOf(app, page, { isListed: true });
    expect(await textAt(`/o/${page.slug}`)).toContain('Basement Brass');
    expectOk(await other.visitor.call(cancelEvent, { eventId: other.eventId }));
    expect(await textAt(`/o/${other.slug}`)).toContain(text.empty);
  });

  it('drops an event when it ends, by itself [PAGE-1]', async () => {
    const page = await openPage(app);
    const endsAt = new Date(app.now().getTime() + 30_000);
    const startsAt = app.now();
    await app.db.updateTable('events').set({ startsAt, endsAt }).where('id', '=', page.eventId).execute();
    await app.deps.changes.catchUp();
    const watch = freezeMonotonicClock();
    const shown = () => Promise.all([textAt(`/o/${page.slug}`), textAt('/sitemap.xml')]);
    for (const before of await shown()) expect(before).toContain(page.eventId);
    // Nothing but the time that passes refreshes the page.
    watch.advance(30_000);
    const [pageThen, sitemapThen] = await at(app, endsAt, shown);
    expect(pageThen).toContain(text.empty);
    expect(sitemapThen).not.toContain(page.eventId);
    expect(sitemapThen).toContain(`/o/${page.slug}<`);
  });

  it('is not found unless it is public [PAGE-1]', async () => {
    const page = await openPage(app);
    await edit(page, { isPublic: false });
    for (const path of [`/o/${page.slug}`, '/o/unknown', '/o/%00', '/o/a%2Fb', `/o/${'a'.repeat(300)}`]) {
      const reply = await get(path);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(await reply.text()).toContain('noindex');
    }
    expect(await textAt(eventPath(page.eventId))).not.toContain('href="/o/');
    await edit(page, { isPublic: true });
    expect((await get(`/o/${page.slug}`)).status).toBe(200);
  });

  it('is not found while the organization is suspended', async () => {
    const page = await openPage(app);
    expect((await get(`/o/${page.slug}`)).status).toBe(200);
    const { organizationId } = await actorOf(app.db, page.email);
    const operator = await newOperator(app);
    expectOk(await operator.call(suspendOrganization, { organizationId, note: 'Reported as a fraud.' }));
    await app.deps.changes.catchUp();
    expect((await get(`/o/${page.slug}`)).status).toBe(404);
    const sitemap = await textAt('/sitemap.xml');
    for (const hidden of [page.slug, page.eventId]) expect(sitemap).not.toContain(hidden);
  });

  it('redirects from a former address [PAGE-1]', async () => {
    const page = await openPage(app);
    await textAt(`/o/${page.slug}`);
    await edit(page, { slug: `${page.slug}-moved` });
    const reply = await get(`/o/${page.slug}`);
    expect([reply.status, reply.headers.get('location')]).toEqual([301, `/o/${page.slug}-moved`]);
  });

  it.each([
    [
      'a sale',
      async (page: Awaited<ReturnType<typeof openPage>>) =>
        void (await openCheckout(app, page.eventId, generalAdmission(1))),
    ],
    ['an edit', (page: Awaited<ReturnType<typeof openPage>>) => editEventOf(app, page, { title: 'Renamed' })],
  ])('shows %s within half a second, and renders at most four times a second', async (_what, change) => {
    const [general] = eventForm(app).tickets;
    const page = await openPage(app, {}, { tickets: general ? [{ ...general, ticketQuantity: 11 }] : [] });
    const path = `/o/${page.slug}`;
    const before = await textAt(path);
    const watch = freezeMonotonicClock();
    await change(page);
    await app.deps.changes.catchUp();
    watch.advance(VISIBLE_WITHIN_MS);
    await expect.poll(() => textAt(path)).not.toBe(before);

    const warnings = vi.spyOn(app.deps.log, 'warn');
    onTestFinished(() => warnings.mockRestore());
    const shown: boolean[] = [];
    for (let renames = 0; renames < 14; renames++) {
      await app.db
        .updateTable('events')
        .set({ title: `Change ${renames}.` })
        .where('id', '=', page.eventId)
        .execute();
      await app.deps.changes.catchUp();
      shown.push((await textAt(path)).includes(`Change ${renames}.`));
    }
    expect(shown.filter(Boolean).length).toBeLessThan(10);
    watch.advance(VISIBLE_WITHIN_MS);
    await expect.poll(() => textAt(path)).toContain('Change 13.');
    expect(warnings).not.toHaveBeenCalled();
  });
});

it('shows a change that came while its page was read for the first time', async () => {
  const page = await openPage(app);
  const path = `/o/${page.slug}`;
  const { reading } = await app.db.transaction().execute(async (tx) => {
    await sql`lock table event_photos in access exclusive mode`.execute(tx);
    const reading = textAt(path);
    await app.untilBlocked();
    await app.db.updateTable('events').set({ title: 'Meanwhile' }).where('id', '=', page.eventId).execute();
    await app.deps.changes.catchUp();
    return { reading };
  });
  expect(await reading).toContain('Basement Brass');
  expect(await textAt(path)).toContain('Meanwhile');
});

describe('how an event sells', () => {
  const shownOf = async (change: Parameters<typeof eventForm>[1]) =>
    textAt(`/o/${(await openPage(app, {}, change)).slug}`);

  it('is on its card', async () => {
    const [general] = eventForm(app).tickets;
    if (!general) throw new Error('the form has ticket types');
    expect(await shownOf({ tickets: [{ ...general, ticketPrice: 0 }] })).toContain('Free');
    expect(await shownOf({ tickets: [general] })).toContain('$24.00');
    expect(await shownOf({ tickets: [{ ...general, ticketQuantity: 8 }] })).toContain(text.sale['few-left']);
    const salesFrom = new Date(app.now().getTime() + 60 * 60 * 1000).toISOString();
    expect(await shownOf({ tickets: [{ ...general, salesFrom }] })).toMatch(/On sale \w{3}, \w{3} \d/);
    for (const sold of [{ ticketQuantity: 2 }, { ticketQuantity: 3, minPerOrder: '2' }]) {
      const page = await openPage(app, {}, { tickets: [{ ...general, ...sold }] });
      await buyTickets(app, page.eventId, generalAdmission(2), 'all@example.com');
      await app.deps.changes.catchUp();
      await expect.poll(() => textAt(`/o/${page.slug}`)).toContain(text.sale['sold-out']);
    }
  });

  it('names the moment from which the event and a type sell', async () => {
    const [general, balcony] = eventForm(app).tickets;
    if (!general || !balcony) throw new Error('the form has two ticket types');
    const inHours = (hours: number) => new Date(app.now().getTime() + hours * 60 * 60 * 1000).toISOString();
    const opens = (hours: number) => text.opens(formatShort(inHours(hours), eventForm(app).timezone));
    const salesFrom = inHours(1);

    expect(await shownOf({ tickets: [{ ...general, salesFrom }], salesStart: inHours(3) })).toContain(opens(3));
    expect(await shownOf({ tickets: [{ ...general, salesFrom: inHours(5) }], salesStart: inHours(3) })).toContain(
      opens(5),
    );
    const waiting = { ...balcony, opensAfter: general.ticketName };
    expect(await shownOf({ tickets: [{ ...general, salesFrom }, waiting] })).toContain(opens(1));
  });

  it('says when the rest is on sale, once the first type is sold out', async () => {
    const [general, balcony] = eventForm(app).tickets;
    if (!general || !balcony) throw new Error('the form has two ticket types');
    const salesFrom = new Date(app.now().getTime() + 60 * 60 * 1000).toISOString();
    const tickets = [
      { ...general, ticketQuantity: 2 },
      { ...balcony, salesFrom },
    ];
    const page = await openPage(app, {}, { tickets });
    const opens = /On sale \w{3}, \w{3} \d/;
    expect(await textAt(`/o/${page.slug}`)).not.toMatch(opens);

    await buyTickets(app, page.eventId, generalAdmission(2), 'first@example.com');
    await app.deps.changes.catchUp();

    await expect.poll(() => textAt(`/o/${page.slug}`)).toMatch(opens);
  });
});

describe('the calendar of an organization', () => {
  it('has its listed events, and follows them [CAL-1]', async () => {
    const page = await openPage(app, {}, { venueName: 'The Cooperage' });
    const unlisted = expectOk(
      await page.visitor.call(createEvent, eventForm(app, { title: 'Secret', isListed: false })),
    );
    const entries = async () => {
      const reply = await get(`/o/${page.slug}/calendar.ics`);
      expect(reply.headers.get('content-type')).toMatch(/^text\/calendar; charset=utf-8/);
      expect(reply.headers.get('cache-control')).toBe('public, max-age=900');
      const component = new ical.Component(ical.parse(await reply.text()));
      return component.getAllSubcomponents('vevent').map((entry) => {
        const { uid, summary, location } = new ical.Event(entry);
        return { uid, summary, location };
      });
    };
    const uid = `${page.eventId}@127.0.0.1`;
    const location = 'The Cooperage, 38 Withers St, Brooklyn, NY 11211';
    expect(await entries()).toEqual([{ uid, summary: 'Basement Brass', location }]);
    await editEventOf(app, page, { title: 'Attic Strings', venueName: '' });
    expect(await entries()).toEqual([{ uid, summary: 'Attic Strings', location: '38 Withers St, Brooklyn, NY 11211' }]);
    await editEventOf(app, { ...page, eventId: unlisted.eventId }, { isListed: true });
    expect((await entries()).map(({ summary }) => summary).sort()).toEqual(['Attic Strings', 'Secret']);
  });
});

describe('an unlisted event', () => {
  it('is open by its link, and kept out of search results [PAGE-2]', async () => {
    const page = await openPage(app, {}, { isListed: false });
    const html = await textAt(eventPath(page.eventId));
    expect(html).toContain(NO_INDEX);
    expect(html).not.toContain('rel="canonical"');
    expect(html).toContain('Basement Brass');
    await editEventOf(app, page, { isListed: true });
    const listed = await textAt(eventPath(page.eventId));
    expect(listed).not.toContain(NO_INDEX);
    expect(listed).toContain('rel="canonical"');
  });

  it('stays unlisted, and named, for clients that know neither [PAGE-2]', async () => {
    const page = await openPage(app, {}, { isListed: false, venueName: 'The Cooperage' });
    const { isListed: _, venueName: __, ...old } = eventForm(app, { title: 'Same place' });
    expectOk(await page.visitor.call(editEvent, { ...old, eventId: page.eventId }));
    expect(await textAt(eventPath(page.eventId))).toContain(NO_INDEX);
    expect(await app.call(publicEvent, { eventId: page.eventId })).toMatchObject({
      body: { title: 'Same place', venueName: 'The Cooperage' },
    });
  });
});

describe('the page of an event', () => {
  it('links its organizer, and names the venue [PAGE-1 PAGE-3]', async () => {
    const page = await openPage(app, {}, { venueName: 'The Cooperage' });
    const html = await textAt(eventPath(page.eventId));
    expect(html).toContain(`<a href="/o/${page.slug}">`);
    expect(html).toContain('<address>The Cooperage</address>');
    expect(html).toContain('The Cooperage, 38 Withers St, Brooklyn, NY 11211');
    expect(html).toContain(`"url":"${app.publicUrl}/o/${page.slug}"`);
    expect(html).toContain('"name":"The Cooperage"');
  });

  it('follows the address and the accent of its organization [PAGE-3]', async () => {
    const page = await openPage(app);
    const lookIn = async (path: string) => /href="(\/look\/[\w-]{22}\.css)"/.exec(await textAt(path))?.[1];
    const paths = [eventPath(page.eventId), `/o/${page.slug}`];
    for (const path of paths) expect(await lookIn(path)).toBeUndefined();
    await edit(page, { accent: '#b3261e' });
    for (const path of paths) await expect.poll(() => lookIn(path)).toBeDefined();
    const [look, same] = [await lookIn(paths[0] ?? ''), await lookIn(paths[1] ?? '')];
    expect(look).toBe(same);
    const reply = await get(look ?? '');
    expect(reply.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await reply.text()).toContain('--blue:light-dark(#b3261e,');
    for (const path of paths) expect(await textAt(path)).not.toContain(' style=');
    await edit(page, { accent: '#0b6e43' });
    await expect.poll(() => lookIn(paths[0] ?? '')).not.toBe(look);
    // Pages that others still keep link the old one.
    expect((await get(look ?? '')).status).toBe(200);
    for (const unknown of ['/look/AAAAAAAAAAAAAAAAAAAAAA.css', '/look/x.css', '/look/%00'])
      expect((await get(unknown)).status).toBe(404);
  });
});

describe('what search engines read', () => {
  it('is a sitemap of pages and listed events, which robots.txt names [PAGE-5]', async () => {
    const page = await openPage(app);
    const hidden = expectOk(await page.visitor.call(createEvent, eventForm(app, { isListed: false })));
    const sitemap = await textAt('/sitemap.xml');
    expect(sitemap).toContain(`<url><loc>${app.publicUrl}/payment/${page.eventId}</loc></url>`);
    expect(sitemap).toContain(`<url><loc>${app.publicUrl}/o/${page.slug}</loc></url>`);
    expect(sitemap).not.toContain(hidden.eventId);
    await editEventOf(app, page, { isListed: false });
    await expect.poll(() => textAt('/sitemap.xml')).not.toContain(page.eventId);

    const robots = await textAt('/robots.txt');
    expect(robots).toContain(`Sitemap: ${app.publicUrl}/sitemap.xml`);
    for (const path of ['/api/', '/profile', '/order', '/success', '/dashboard'])
      expect(robots).toContain(`Disallow: ${path}\n`);
    for (const path of ['/o/', '/payment']) expect(robots).not.toContain(path);
  });

  it('comes in files of at most 50,000 addresses [PAGE-5]', async () => {
    const all = (await sitemapPage(app.deps, 0))?.match(/<loc>[^<]+/g) ?? [];
    const index = (await sitemapPage(app.deps, 0, 2)) ?? '';
    const pages = Math.ceil(all.length / 2);
    expect(index.match(/<sitemap>/g)).toHaveLength(pages);
    const paged: string[] = [];
    for (let number = 1; number <= pages; number++)
      paged.push(...((await sitemapPage(app.deps, number, 2))?.match(/<loc>[^<]+/g) ?? []));
    expect(paged).toEqual(all);
    expect(await sitemapPage(app.deps, pages + 1, 2)).toBeNull();
    for (const query of ['?page=0', '?page=99', '?page=x', '?page=1&page=2'])
      expect((await get(`/sitemap.xml${query}`)).status).toBe(404);
  });
});
