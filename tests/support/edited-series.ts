/** Series of events, and the form of one of their dates. */
import { randomUUID } from 'node:crypto';
import { eventCard } from '#contract/app/records/workspace.ts';
import { editSeries, eventSeries } from '#contract/app/sales/series-changes.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { copiesOfEvent } from './copied-events.ts';
import type { Visitor } from './http-visitor.ts';
import { dayIn } from './local-days.ts';
import { eventForm, eventOnSale, expectOk } from './people.ts';
import type { TestApp } from './test-app.ts';

export const ZONE = 'America/New_York';

export interface Series {
  visitor: Visitor;
  seriesId: string;
  /** By start. The first one is the event that was copied. */
  dates: string[];
}

const instant = (local: string) => {
  const at = instantOf(local, ZONE, 'earlier');
  if (!(at instanceof Date)) throw new Error(`${local} is no time: ${at}`);
  return at;
};

/** Local days in the events' zone, a week apart, the first one `weeks` ahead. */
export const weeklyDays = (app: TestApp, count: number, weeks = 1): string[] =>
  Array.from({ length: count }, (_, index) => dayIn(app.now(), 7 * (weeks + index)));

/** Makes the event the first of a series of three-hour dates at 8 PM. */
export async function makeSeries(
  app: TestApp,
  { visitor, eventId }: { visitor: Visitor; eventId: string },
  days: readonly string[],
): Promise<Series> {
  const seriesId = newPublicId();
  const { organizationId } = await app.db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select('organizationId')
    .executeTakeFirstOrThrow();
  await app.db.insertInto('series').values({ id: seriesId, organizationId, createdAt: app.now() }).execute();
  await app.db.updateTable('events').set({ seriesId }).where('id', '=', eventId).execute();
  const copies = await copiesOfEvent(app.db, eventId, days.length - 1, (index) => instant(`${days[index + 1]}T23:00`));
  const dates = [eventId, ...copies];
  for (const [index, id] of dates.entries())
    await app.db
      .updateTable('events')
      .set({ startsAt: instant(`${days[index]}T20:00`), endsAt: instant(`${days[index]}T23:00`) })
      .where('id', '=', id)
      .execute();
  return { visitor, seriesId, dates };
}

type Edit = InputOf<typeof editSeries>;

/** The present form of the date, as a browser sends it. */
export async function formOfDate({ visitor }: { visitor: Visitor }, app: TestApp, eventId: string) {
  const { event } = expectOk(await visitor.call(eventCard, { eventId }));
  const { state, timezone } = eventForm(app);
  const tickets = event.tickets.map(({ ticketId, ticketName, ticketDescription, ticketPrice, ticketQuantity }) => ({
    ticketId,
    ticketName,
    ticketDescription,
    ticketPrice,
    ticketQuantity,
  }));
  const { checkInOpensAt: _opens, checkInClosesAt: _closes, feeTerms: _terms, ...fields } = event;
  return { ...fields, state, timezone, tickets };
}

/** Edits the dates in scope by the form of one of them. */
export async function editDates(
  app: TestApp,
  series: Series,
  eventId: string,
  change: Partial<Edit>,
  by: Visitor = series.visitor,
) {
  const form = await formOfDate({ visitor: by }, app, eventId);
  const request = { ...form, eventId, scope: 'later' as const, changeId: randomUUID(), ...change };
  return by.call(editSeries, request);
}

/** An event on sale as a series of `count` dates. */
export async function seriesOf(app: TestApp, count: number, days = weeklyDays(app, count)): Promise<Series> {
  return makeSeries(app, await eventOnSale(app), days);
}

export const rowOf = (app: TestApp, eventId: string | undefined) =>
  app.db
    .selectFrom('events')
    .where('id', '=', eventId ?? '')
    .selectAll()
    .executeTakeFirstOrThrow();

export const rowsOf = async (app: TestApp, { dates }: Series) =>
  Promise.all(dates.map((eventId) => rowOf(app, eventId)));

export const localStarts = async (app: TestApp, series: Series) =>
  (await rowsOf(app, series)).map(({ startsAt, timezone }) => localTimeOf(startsAt, timezone));

/** What the latest change did to each date, once it is carried out. */
export async function resultsOf(app: TestApp, { visitor, dates }: Series) {
  await app.settle();
  const { series } = expectOk(await visitor.call(eventSeries, { eventId: dates[0] ?? '' }));
  return series?.dates.map(({ result }) => result?.state ?? null);
}

export const denialOf = async (app: TestApp, eventId: string | undefined) => {
  const row = await app.db
    .selectFrom('seriesChangeDates')
    .where('eventId', '=', eventId ?? '')
    .select(['denial', 'denialParams'])
    .executeTakeFirst();
  return row?.denial ?? null;
};
