import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { eventCard, eventFrame, eventMoney, eventRows, pastVenues } from '#contract/app/records/workspace.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { EVENT_ROWS_PER_PAGE } from '#domain/limits.ts';
import type { EventGroup } from '#domain/sales/event-status.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { copiesOfEvent } from '#tests/support/copied-events.ts';
import { noonIn } from '#tests/support/local-days.ts';
import { buyTickets, eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

async function everyRow({ visitor }: Seller, group: EventGroup, q?: string) {
  const rows = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = expectOk(await visitor.call(eventRows, { group, ...(q && { q }), ...(after && { after }) }));
    expect(page.rows.length).toBeLessThanOrEqual(EVENT_ROWS_PER_PAGE);
    rows.push(...page.rows);
    after = page.next;
  }
  return rows;
}

/** The event with eight later dates and three past ones. */
async function seriesOf({ visitor, eventId }: Seller) {
  const dates = [noonIn(app.now(), 30)];
  const reply = expectOk(await visitor.call(addDates, { eventId, dates, requestId: randomUUID() }));
  const [first = ''] = reply.eventIds;
  const ids = [first, ...(await copiesOfEvent(app.db, eventId, 7, (index) => days(soon, index)))];
  const over = await copiesOfEvent(app.db, eventId, 3, (index) => days(past, index));
  return { seriesId: reply.seriesId ?? '', ids, past: over };
}

const soon = new Date('2090-06-01T00:00:00Z');
const past = new Date('2026-01-01T00:00:00Z');
const days = (from: Date, count: number) => new Date(from.getTime() + count * 24 * 60 * 60 * 1000);

it('past venues are those of the events that the member was given, each once, the latest first [EDITOR-8]', async () => {
  const seller = await eventOnSale(app, { venueName: 'The Cellar' });
  const at = async (change: Parameters<typeof eventForm>[1]) =>
    expectOk(await seller.visitor.call(createEvent, { ...eventForm(app, change), isDraft: true })).eventId;
  const later = new Date(app.now().getTime() + 90 * 24 * 60 * 60 * 1000);
  const end = new Date(later.getTime() + 60 * 60 * 1000).toISOString();
  const times = { startDate_startTime: later.toISOString(), endDate_endTime: end };
  await at({ ...times, venueName: 'The Cellar', latitude: 40.5, longitude: -73.5 });
  const attic = await at({ venueName: 'The Attic', street: '1 Main St' });
  const venuesOf = async ({ visitor }: Pick<Seller, 'visitor'>) =>
    expectOk(await visitor.call(pastVenues, {})).venues.map(({ venueName, latitude }) => [venueName, latitude]);

  expect(await venuesOf(seller)).toEqual([
    ['The Cellar', 40.5],
    ['The Attic', expect.any(Number)],
  ]);
  expect(await venuesOf(await newMember(app, seller, 'editor', [attic]))).toEqual([['The Attic', expect.any(Number)]]);
  expect(await venuesOf(await eventOnSale(app))).toEqual([[null, expect.any(Number)]]);
});

describe('the lines of the events', () => {
  it('are grouped, coming ones by date and past ones latest first, and page to the last', async () => {
    const seller = await eventOnSale(app);
    const coming = await copiesOfEvent(app.db, seller.eventId, 24, (index) => days(soon, 30 - index));
    const over = await copiesOfEvent(app.db, seller.eventId, 13, (index) => days(past, index));
    const cancelled = coming[4] ?? '';
    expectOk(await seller.visitor.call(cancelEvent, { eventId: cancelled }));

    const rows = await everyRow(seller, 'upcoming');
    const startsOf = rows.map(({ startsAt }) => startsAt);
    const pastRows = await everyRow(seller, 'past');
    const { counts } = expectOk(await seller.visitor.call(eventRows, { group: 'upcoming' }));

    expect(startsOf).toEqual([...startsOf].sort());
    expect(new Set(rows.map(({ eventId }) => eventId))).toEqual(
      new Set([seller.eventId, ...coming.filter((id) => id !== cancelled)]),
    );
    expect(pastRows.map(({ eventId }) => eventId)).toEqual([...over].reverse());
    expect((await everyRow(seller, 'cancelled')).map(({ eventId }) => eventId)).toEqual([cancelled]);
    expect(counts).toEqual({ upcoming: 24, drafts: 0, past: 13, cancelled: 1 });
  });

  it('are one per series: its next date, next draft or latest past one, with all dates of the group [SERIES-1]', async () => {
    const seller = await eventOnSale(app);
    const { seriesId, ids, past: over } = await seriesOf(seller);
    const single = (await copiesOfEvent(app.db, seller.eventId, 14, (index) => days(soon, 90 + index))).at(-1) ?? '';
    await app.db.updateTable('events').set({ seriesId: null }).where('startsAt', '>=', days(soon, 90)).execute();

    const rows = await everyRow(seller, 'upcoming');
    expect(rows).toHaveLength(15);
    expect(rows.filter((row) => row.seriesId === seriesId)).toMatchObject([{ eventId: seller.eventId, dates: 9 }]);
    expect(rows.at(-1)).toMatchObject({ eventId: single, dates: 1, seriesId: null });
    expect(await everyRow(seller, 'past')).toMatchObject([{ eventId: over.at(-1), dates: 3 }]);
    const { counts } = expectOk(await seller.visitor.call(eventRows, { group: 'past' }));
    expect(counts).toEqual({ upcoming: 15, drafts: 0, past: 1, cancelled: 0 });

    const dates = expectOk(await seller.visitor.call(eventRows, { seriesId }));
    expect(dates.rows.map(({ eventId }) => eventId)).toEqual([...over, seller.eventId, ...ids]);
    expect(dates.counts).toEqual({ upcoming: 9, drafts: 0, past: 3, cancelled: 0 });
    const { events } = expectOk(await seller.visitor.call(profile, {}));
    expect(events).toHaveLength(20);
    expect(events.slice(0, 18).filter(({ eventId }) => ids.includes(eventId))).toEqual([]);
  });

  it('are found by any part of their title, in any case, and nothing in it is a pattern', async () => {
    const seller = await eventOnSale(app);
    const { visitor } = seller;
    const { eventId } = expectOk(await visitor.call(createEvent, eventForm(app, { title: '100%_Jazz' })));

    expect((await everyRow(seller, 'upcoming', '%_j')).map((row) => row.eventId)).toEqual([eventId]);
    expect(await everyRow(seller, 'upcoming', '0_J')).toEqual([]);
    const { rows, counts } = expectOk(await visitor.call(eventRows, { q: 'jazz' }));
    expect(rows.map((row) => row.eventId)).toEqual([eventId]);
    expect(counts).toEqual({ upcoming: 1, drafts: 0, past: 0, cancelled: 0 });
  });

  it('show sales and what the organizer gets as the profile does', async () => {
    const seller = await eventOnSale(app);
    await buyTickets(app, seller.eventId, generalAdmission(3));

    const [row] = await everyRow(seller, 'upcoming');
    const [event] = expectOk(await seller.visitor.call(profile, {})).events;

    expect(row).toEqual({
      eventId: seller.eventId,
      title: event?.title,
      subtitle: null,
      seriesId: null,
      dates: 1,
      status: 'on-sale',
      startsAt: event?.startDate_startTime,
      endsAt: event?.endDate_endTime,
      timezone: event?.timezone,
      ticketsSold: 3,
      ticketsOffered: 110,
      gross: event?.gross,
      payout: event?.payout.statement?.net,
    });
  });

  it.each(['group=all', `q=${'x'.repeat(101)}`])('are denied for %s', async (query) => {
    const { visitor } = await eventOnSale(app);
    const url = `${eventRows.path}?${query}`;

    expect((await visitor.fetch(url)).status).toBe(400);
  });

  it('of another organization are in no list, and as a cursor begin no page', async () => {
    const [mine, theirs] = [await eventOnSale(app), await eventOnSale(app)];

    const foreign = await mine.visitor.call(eventRows, { group: 'upcoming', after: theirs.eventId });
    const unknown = await mine.visitor.call(eventRows, { group: 'upcoming', after: newPublicId() });

    expect(foreign.body).toEqual(unknown.body);
    expect((await everyRow(mine, 'upcoming')).map(({ eventId }) => eventId)).toEqual([mine.eventId]);
  });
});

describe('the frame of an event', () => {
  it('says where it stands and what the member may do there', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(2));

    const frame = expectOk(await visitor.call(eventFrame, { eventId }));

    expect(frame).toMatchObject({
      eventId,
      status: 'on-sale',
      ticketsSold: 2,
      ticketTypes: 2,
      role: 'owner',
      photo: null,
    });
    expect(frame.eventUrl).toContain(`/payment/${eventId}`);
    expect(frame.cancellation).toBeNull();
  });

  it('says which date of a series it is, and which come before and after [SERIES-1]', async () => {
    const seller = await eventOnSale(app);
    const { seriesId, ids, past: over } = await seriesOf(seller);
    const { visitor, eventId } = seller;
    const seriesIn = async (id = '') => expectOk(await visitor.call(eventFrame, { eventId: id })).series;

    expect(expectOk(await visitor.call(eventFrame, { eventId }))).toMatchObject({ seriesId, subtitle: null });
    expect(await seriesIn(eventId)).toEqual({ dates: 12, position: 4, previous: over[2], next: ids[0] });
    expect(await seriesIn(over[0])).toEqual({ dates: 12, position: 1, previous: null, next: over[1] });
    expect(await seriesIn(ids[7])).toEqual({ dates: 12, position: 12, previous: ids[6], next: null });
  });

  it('shows the refunds of a cancelled event', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(2));
    expectOk(await visitor.call(cancelEvent, { eventId }));
    const read = async () => expectOk(await visitor.call(eventFrame, { eventId }));

    await expect
      .poll(read)
      .toMatchObject({ status: 'cancelled', cancellation: { refunds: 2, refunded: 2, failed: 0 } });
  });
});

describe('the card of an event', () => {
  it('is the same as on the profile', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(2));

    const [event] = expectOk(await visitor.call(profile, {})).events;
    const alone = expectOk(await visitor.call(eventCard, { eventId }));

    expect(alone).toEqual({ event });
    expect(expectOk(await visitor.call(eventMoney, { eventId }))).toEqual({
      event,
      role: 'owner',
      isPayoutAccountUnconfirmed: false,
      automatic: { isOn: false, mayChange: true },
      disputes: [],
    });
  });
});
