/** What the public sees of a series: its page, its calendar, its entry on the organization's page, and the other dates of a date. */
import ical from 'ical.js';
import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendOrganization } from '#contract/app/brakes.ts';
import { cancelEvent, publicEvent } from '#contract/app/events.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import { allDates } from '#messages/sales/event-page.ts';
import { organizerPage, seriesPage as text } from '#messages/sales/organizer-page.ts';
import type { Change } from '#server/platform/ports/changes.ts';
import type { Schema } from '#server/platform/schema.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { at } from '#tests/support/money.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { openPage } from '#tests/support/organizer-pages.ts';
import { buyTickets, eventForm, expectOk, generalAdmission } from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

const VISIBLE_WITHIN_MS = 500;
const NO_INDEX = '<meta name="robots" content="noindex">';

const get = (path: string) => fetch(app.publicUrl + path, { redirect: 'manual', headers: { accept: 'text/html' } });
const textAt = async (path: string) => (await get(path)).text();
const eventPath = (eventId: string) => `/payment/${eventId}`;

/** An organization with a page and a series on it, the first date tomorrow. */
async function openSeries(dates: number, event: Parameters<typeof openPage>[2] = {}) {
  const page = await openPage(app, {}, event);
  const series = await weeklySeries(page, dates - 1);
  await app.deps.changes.catchUp();
  return { ...page, ...series, path: `/series/${series.seriesId}` };
}

/** Of a date of a series, as another process would. */
async function change(eventId: string, columns: Updateable<Schema['events']>): Promise<void> {
  await app.db.updateTable('events').set(columns).where('id', '=', eventId).execute();
  await app.deps.changes.catchUp();
}

/** Of each date that the page shows: where it leads, and what its row says. */
const rowsIn = (html: string) =>
  [...html.matchAll(/<li[^>]*><span[^>]*aria-hidden.*?<\/li>/g)].map(([row]) => ({
    eventId: /href="\/payment\/([\w-]{16})"/.exec(row)?.[1],
    row,
  }));

describe('the page of a series', () => {
  it('lists its coming dates, each with its time, price and availability [SERIES-6]', async () => {
    const tickets = eventForm(app).tickets.slice(0, 1);
    const series = await openSeries(3, { tickets, venueName: 'The Cooperage' });
    const [first = '', second = '', third = ''] = series.dates;
    await change(second, { subtitle: 'Brass and strings' });
    await buyTickets(app, third, generalAdmission(90), 'many@example.com');
    await app.deps.changes.catchUp();

    const html = await textAt(series.path);
    const rows = rowsIn(html);

    expect(rows.map(({ eventId }) => eventId)).toEqual([first, second, third]);
    for (const { row } of rows) {
      expect(row).toMatch(/<time[^>]*>\w+day, \w+ \d+.*\d+:\d\d [AP]M E[SD]T/);
      expect(row).toContain('$24.00');
    }
    expect(rows.map(({ row }) => row.includes('Brass and strings'))).toEqual([false, true, false]);
    expect(rows[0]?.row).toContain(organizerPage.sale['on-sale']);
    expect(rows[2]?.row).toContain(organizerPage.sale['few-left']);
    // Once, where all dates are at one venue.
    expect(html.match(/The Cooperage, Brooklyn, NY/g)).toHaveLength(1);
    expect(html).toContain('Basement Brass</h1>');
    expect(html).toContain(`<a href="/o/${series.slug}">Cooperage Nights</a>`);
    expect(html).toContain(`href="${series.path}/calendar.ics"`);
    expect(html).toContain(`<link rel="canonical" href="${app.publicUrl}${series.path}">`);
    expect(html).toContain(`<meta property="og:image" content="${app.publicUrl}/og/${first}.png">`);
    expect(html).not.toContain(' style=');
    expect(html).not.toContain(series.email);
    await change(second, { venueName: 'The Loft' });
    const places = rowsIn(await textAt(series.path)).map(({ row }) => /The (?:Cooperage|Loft)/.exec(row)?.[0]);
    expect(places).toEqual(['The Cooperage', 'The Loft', 'The Cooperage']);
  });

  it('has the headers and the accent of an event page, and answers 304 [SERIES-6]', async () => {
    const series = await openSeries(2);
    expectOk(await series.visitor.call(editOrganizationPage, { accent: '#b3261e' }));
    const [first, event] = [await get(series.path), await get(eventPath(series.eventId))];
    for (const name of ['cache-control', 'vary', 'content-security-policy', 'content-type'])
      expect([name, first.headers.get(name)]).toEqual([name, event.headers.get(name)]);
    expect(await first.text()).toMatch(/href="\/look\/[\w-]{22}\.css"/);
    const etag = first.headers.get('etag') ?? '';
    for (const path of [series.path, `${series.path}?utm_source=email`])
      expect((await fetch(app.publicUrl + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get(`${series.path}/`)).status).toBe(200);
  });

  it('marks a cancelled date until it would have ended, and drops one that ended [SERIES-6]', async () => {
    const series = await openSeries(3);
    const [first = '', second = '', third = ''] = series.dates;
    expectOk(await series.visitor.call(cancelEvent, { eventId: second }));
    const rows = rowsIn(await textAt(series.path));
    expect(rows.map(({ row }) => row.includes(organizerPage.sale.cancelled))).toEqual([false, true, false]);
    const [startsAt, endsAt] = [app.now(), new Date(app.now().getTime() + 30_000)];
    for (const eventId of [first, second]) await change(eventId, { startsAt, endsAt });
    const watch = freezeMonotonicClock();
    expect(rowsIn(await textAt(series.path))).toHaveLength(3);
    // Nothing but the time that passes refreshes the page.
    watch.advance(30_000);
    const shown = await at(app, endsAt, () => textAt(series.path));
    expect(rowsIn(shown).map(({ eventId }) => eventId)).toEqual([third]);
  });

  it('says when every date is sold out or cancelled, and when none is coming [SERIES-6]', async () => {
    const [general] = eventForm(app).tickets;
    const series = await openSeries(2, { tickets: general ? [{ ...general, ticketQuantity: 2 }] : [] });
    const [first = '', second = ''] = series.dates;
    await buyTickets(app, first, generalAdmission(2), 'first@example.com');
    await app.deps.changes.catchUp();
    expect(await textAt(series.path)).not.toContain(text.allSoldOut);
    expectOk(await series.visitor.call(cancelEvent, { eventId: second }));
    expect(await textAt(series.path)).toContain(text.allSoldOut);
    expectOk(await series.visitor.call(cancelEvent, { eventId: first }));
    expect(await textAt(series.path)).toContain(text.allCancelled);
    for (const eventId of series.dates) {
      const endsAt = new Date(app.now().getTime() - 1000);
      await change(eventId, { startsAt: new Date(endsAt.getTime() - 1000), endsAt });
    }
    const html = await textAt(series.path);
    expect(html).toContain(text.empty);
    expect(html).toContain(NO_INDEX);
    expect(rowsIn(html)).toEqual([]);
  });

  it('is not found for an unknown id [SERIES-6]', async () => {
    for (const id of ['AAAAAAAAAAAAAAAA', 'x', '%00', 'a%2Fb', 'a'.repeat(300)])
      for (const path of [`/series/${id}`, `/series/${id}/calendar.ics`]) {
        const reply = await get(path);
        expect([path, reply.status]).toEqual([path, 404]);
      }
    expect(await textAt('/series/AAAAAAAAAAAAAAAA')).toContain(NO_INDEX);
  });

  it('shows no draft, nor that a series of drafts exists [LIFE-2 SERIES-6]', async () => {
    const series = await openSeries(3);
    const [first = '', second = '', third = ''] = series.dates;
    await change(second, { publishedAt: null });
    await change(third, { publishedAt: null });
    const paths = [
      series.path,
      `${series.path}/calendar.ics`,
      eventPath(first),
      publicEvent.path.replace(':eventId', first),
      `/o/${series.slug}`,
      `/o/${series.slug}/calendar.ics`,
      '/sitemap.xml',
    ];
    for (const path of paths) {
      const shown = await textAt(path);
      for (const draft of [second, third]) expect([path, shown.includes(draft)]).toEqual([path, false]);
    }
    expect(rowsIn(await textAt(series.path)).map(({ eventId }) => eventId)).toEqual([first]);

    await change(first, { publishedAt: null });
    const [hidden, unknown] = [await get(series.path), await get('/series/AAAAAAAAAAAAAAAA')];
    expect([hidden.status, await hidden.text()]).toEqual([404, await unknown.text()]);
    expect((await get(`${series.path}/calendar.ics`)).status).toBe(404);
    expect(await textAt('/sitemap.xml')).not.toContain(series.seriesId);
  });

  it('shows unlisted dates only where all are unlisted, and no search engine finds them [PAGE-2 SERIES-6]', async () => {
    const series = await openSeries(2);
    const [first = '', second = ''] = series.dates;
    await change(second, { isListed: false });
    const listed = await textAt(series.path);
    expect(rowsIn(listed).map(({ eventId }) => eventId)).toEqual([first]);
    expect(listed).not.toContain(NO_INDEX);
    expect(await textAt('/sitemap.xml')).toContain(`<loc>${app.publicUrl}${series.path}</loc>`);
    await change(first, { isListed: false });
    const unlisted = await textAt(series.path);
    expect(rowsIn(unlisted).map(({ eventId }) => eventId)).toEqual([first, second]);
    expect(unlisted).toContain(NO_INDEX);
    expect(unlisted).not.toContain('rel="canonical"');
    expect(await textAt('/sitemap.xml')).not.toContain(series.seriesId);
  });

  it('stays out of the sitemap while the organization is suspended [PAGE-5]', async () => {
    const series = await openSeries(2);
    const { organizationId } = await actorOf(app.db, series.email);
    const operator = await newOperator(app);
    expectOk(await operator.call(suspendOrganization, { organizationId, note: 'Reported as a fraud.' }));
    await app.deps.changes.catchUp();
    expect(await textAt('/sitemap.xml')).not.toContain(series.seriesId);
    const html = await textAt(series.path);
    expect(html).not.toContain(`/o/${series.slug}`);
    expect(html).toContain(organizerPage.sale.paused);
  });

  it('shows the last sale of a date within half a second [SERIES-6]', async () => {
    const [general] = eventForm(app).tickets;
    const series = await openSeries(2, { tickets: general ? [{ ...general, ticketQuantity: 2 }] : [] });
    const second = series.dates[1] ?? '';
    expect(rowsIn(await textAt(series.path))[1]?.row).toContain(organizerPage.sale['few-left']);
    const watch = freezeMonotonicClock();
    await buyTickets(app, second, generalAdmission(2), 'last@example.com');
    await app.deps.changes.catchUp();
    watch.advance(VISIBLE_WITHIN_MS);
    await expect.poll(async () => rowsIn(await textAt(series.path))[1]?.row).toContain(organizerPage.sale['sold-out']);
  });

  it('shows a change that came while it was read for the first time', async () => {
    const series = await openSeries(2);
    const [first = '', second = ''] = series.dates;
    const { reading } = await app.db.transaction().execute(async (tx) => {
      await sql`lock table event_photos in access exclusive mode`.execute(tx);
      const reading = textAt(series.path);
      await app.untilBlocked();
      await change(first, { title: 'Meanwhile' });
      await change(second, { publishedAt: null });
      return { reading };
    });
    expect(await reading).toContain(second);
    const then = await textAt(series.path);
    expect(then).toContain('Meanwhile');
    expect(then).not.toContain(second);
  });
});

const listings = [
  ['an organization', ({ slug }: Awaited<ReturnType<typeof openSeries>>) => `/o/${slug}`],
  ['a series', ({ path }: Awaited<ReturnType<typeof openSeries>>) => path],
] as const;

it.each(listings)('renders the page of %s at most four times a second while it changes', async (_what, pathOf) => {
  const series = await openSeries(3, { title: 'Change 0.' });
  const path = pathOf(series);
  const watch = freezeMonotonicClock();
  const shown = new Set<string | undefined>();
  const [changes, betweenMs, burst] = [60, 50, 8];
  for (let count = 1; count <= changes; count++) {
    await app.db
      .updateTable('events')
      .set({ title: `Change ${count}.` })
      .where('seriesId', '=', series.seriesId)
      .execute();
    await app.deps.changes.catchUp();
    shown.add(/Change \d+\./.exec(await textAt(path))?.[0]);
    watch.advance(betweenMs);
  }
  expect(shown.size).toBeLessThanOrEqual(burst + (changes * betweenMs) / 250);
  watch.advance(VISIBLE_WITHIN_MS);
  await expect.poll(() => textAt(path)).toContain(`Change ${changes}.`);
});

describe('the calendar of a series', () => {
  const entriesIn = (file: string) =>
    new ical.Component(ical.parse(file)).getAllSubcomponents('vevent').map((entry) => ({
      summary: new ical.Event(entry).summary,
      uid: new ical.Event(entry).uid,
      status: entry.getFirstPropertyValue('status'),
    }));

  it('has each coming date, and follows it [CAL-1 SERIES-6]', async () => {
    const series = await openSeries(2);
    const [first = '', second = ''] = series.dates;
    await change(second, { subtitle: 'Brass and strings' });
    const path = `${series.path}/calendar.ics`;
    const reply = await get(path);
    expect(reply.headers.get('content-type')).toMatch(/^text\/calendar; charset=utf-8/);
    expect(reply.headers.get('cache-control')).toBe('public, max-age=900');
    const uids = [first, second].map((id) => `${id}@127.0.0.1`);
    expect(entriesIn(await reply.text())).toEqual([
      { summary: 'Basement Brass', uid: uids[0], status: 'CONFIRMED' },
      { summary: 'Basement Brass: Brass and strings', uid: uids[1], status: 'CONFIRMED' },
    ]);
    expectOk(await series.visitor.call(cancelEvent, { eventId: second }));
    expect(entriesIn(await textAt(path)).map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED']);
  });
});

describe('a series on the page of its organization', () => {
  it('is one entry, with its next date and how all of them sell [PAGE-1 SERIES-6]', async () => {
    const [general] = eventForm(app).tickets;
    const tickets = general ? [{ ...general, ticketQuantity: 2 }] : [];
    const series = await openSeries(12, { tickets });
    const path = `/o/${series.slug}`;
    const cards = async () => (await textAt(path)).match(/<h3>/g);
    const shown = await textAt(path);
    expect(await cards()).toHaveLength(1);
    expect(shown).toContain(`href="${series.path}"`);
    expect(shown).toContain(organizerPage.more(11));
    expect(shown).toContain(`/poster/${series.dates[0]}.svg`);
    await buyTickets(app, series.eventId, generalAdmission(2), 'all@example.com');
    await app.deps.changes.catchUp();
    expect(await textAt(path)).toContain(organizerPage.sale['few-left']);

    const feed = await textAt(`${path}/calendar.ics`);
    for (const eventId of series.dates) expect(feed).toContain(`UID:${eventId}@`);
  });

  it('leads to the event when one date is left [PAGE-1 SERIES-6]', async () => {
    const series = await openSeries(2);
    const [first = '', second = ''] = series.dates;
    await change(second, { subtitle: 'Farewell' });
    expectOk(await series.visitor.call(cancelEvent, { eventId: first }));
    const html = await textAt(`/o/${series.slug}`);
    expect(html).toContain(`href="${eventPath(second)}"`);
    expect(html).toContain('Farewell');
    expect(html).not.toContain(series.path);
  });
});

describe('the other dates of a date', () => {
  const datesOf = async (eventId: string) => {
    const event = expectOk(await app.call(publicEvent, { eventId }));
    const otherDates = 'otherDates' in event ? event.otherDates : undefined;
    return otherDates && { count: otherDates.count, next: otherDates.next.map((date) => date.eventId) };
  };

  it('are the next three on its page, and all of them behind a link [SERIES-6]', async () => {
    const series = await openSeries(6);
    const [first = '', second = '', third = '', fourth = ''] = series.dates;
    await change(fourth, { subtitle: 'Brass and strings' });
    const html = await textAt(eventPath(third));
    for (const eventId of [first, second, fourth]) expect(html).toContain(`href="${eventPath(eventId)}"`);
    expect(html).not.toContain(`href="${eventPath(series.dates[4] ?? '')}"`);
    expect(html).toContain('Brass and strings');
    expect(html).toContain(`<a href="${series.path}">${allDates(6)}</a>`);
  });

  it('follow what becomes of those dates, without a notification for each [SERIES-6]', async () => {
    const series = await openSeries(3);
    const [first = '', second = '', third = ''] = series.dates;
    expect(await datesOf(first)).toEqual({ count: 2, next: [second, third] });
    expectOk(await series.visitor.call(cancelEvent, { eventId: second }));
    expect(await datesOf(first)).toEqual({ count: 1, next: [third] });
    await change(third, { publishedAt: null });
    expect(await datesOf(first)).toBeUndefined();
    expect(await textAt(eventPath(first))).not.toContain(series.path);
    await change(third, { publishedAt: app.now() });
    expect(await datesOf(first)).toEqual({ count: 1, next: [third] });
    for (const eventId of series.dates) await change(eventId, { isListed: false });
    expect(await datesOf(first)).toEqual({ count: 1, next: [third] });
    await change(third, { isListed: true });
    expect(await datesOf(third)).toBeUndefined();

    const changes: Change[] = [];
    app.deps.changes.onChange((change) => void changes.push(change));
    await buyTickets(app, first, generalAdmission(91), 'many@example.com');
    await app.deps.changes.catchUp();
    expect(changes).toContainEqual({ what: 'event', eventId: first });
    expect(changes).not.toContainEqual({ what: 'series', seriesId: series.seriesId });
    changes.length = 0;
    await app.db.updateTable('events').set({ subtitle: 'All' }).where('seriesId', '=', series.seriesId).execute();
    await app.deps.changes.catchUp();
    expect(changes.filter(({ what }) => what === 'series')).toEqual([{ what: 'series', seriesId: series.seriesId }]);
  });

  it('leave out one that has ended, by themselves [SERIES-6]', async () => {
    const series = await openSeries(2);
    const [first = '', second = ''] = series.dates;
    const [startsAt, endsAt] = [app.now(), new Date(app.now().getTime() + 30_000)];
    await change(first, { startsAt, endsAt });
    const watch = freezeMonotonicClock();
    expect(await datesOf(second)).toEqual({ count: 1, next: [first] });
    watch.advance(30_000);
    expect(await at(app, endsAt, () => datesOf(second))).toBeUndefined();
  });

  it('show a change that came while the page was read for the first time', async () => {
    const series = await openSeries(2);
    const [first = '', second = ''] = series.dates;
    const { reading } = await app.db.transaction().execute(async (tx) => {
      await sql`lock table event_photos in access exclusive mode`.execute(tx);
      const reading = textAt(eventPath(first));
      await app.untilBlocked();
      await change(second, { subtitle: 'Meanwhile' });
      return { reading };
    });
    expect(await reading).toContain(second);
    expect(await textAt(eventPath(first))).toContain('Meanwhile');
  });
});
