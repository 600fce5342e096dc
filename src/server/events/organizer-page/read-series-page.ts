import type { SeriesDate, SeriesPage } from '#contract/app/sales/series-page.ts';
import { COMING_DATES_MAX } from '#domain/limits.ts';
import { lookOf } from '#server/events/page/look.ts';
import { coverReply, listPhotos } from '#server/events/photos/list-photos.ts';
import { plainTextOf } from '#server/events/rich-text/read-rich-text.ts';
import type { Deps } from '#server/platform/deps.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import { readSales } from './how-events-sell.ts';
import { comingDatesOf, comingEntriesOf, findSeries } from './listed-events.sql.ts';
import { type CalendarSnapshot, earliest, firstEndOf, type Listing } from './listing-cache.ts';

type DateRow = Awaited<ReturnType<typeof comingDatesOf>>[number];

export interface SeriesSnapshot extends Listing {
  page: SeriesPage;
  /** Search engines may list it. */
  isListed: boolean;
}

/** Null unless the public finds a date of the series. */
export async function readSeriesPage(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  seriesId: string,
): Promise<SeriesSnapshot | null> {
  const series = await find(deps, seriesId);
  if (!series) return null;
  const { now, title, name, slug, accent, lastDate } = series;
  const dates = await comingDatesOf(deps.db, seriesId, COMING_DATES_MAX);
  const next = dates.find(({ cancelledAt }) => cancelledAt === null)?.id ?? dates[0]?.id ?? lastDate;
  const [{ sales, changesAt }, photosOf, look] = await Promise.all([
    readSales(
      deps,
      dates.filter(({ cancelledAt }) => cancelledAt === null),
      now,
    ),
    listPhotos(deps, [next]),
    lookOf(deps.db, accent),
  ]);
  const [first] = dates;
  const atOneVenue = dates.every((date) => isSameVenue(date, first));
  return {
    page: {
      seriesId,
      title,
      description:
        first && dates.every(({ description }) => description === first.description)
          ? plainTextOf(first.description)
          : null,
      organizer: { name, slug },
      look,
      cover: { eventId: next, ...coverReply(photosOf(next)) },
      venue: atOneVenue && first ? venueOf(first) : null,
      dates: dates.map((date): SeriesDate => {
        const { id, subtitle, timezone, startsAt, cancelledAt } = date;
        const sale = sales.get(id);
        const facts = {
          eventId: id,
          subtitle,
          timezone,
          startsAt: startsAt.toISOString(),
          venue: atOneVenue ? null : venueOf(date),
        };
        if (cancelledAt || !sale)
          return { ...facts, sale: 'cancelled', opensAt: null, fromCents: null, hasOnePrice: true };
        return { ...facts, ...sale };
      }),
    },
    isListed: dates.some(({ isListed, cancelledAt }) => isListed && cancelledAt === null),
    shows: dates.map(({ id }) => id),
    now,
    changesAt: earliest([changesAt, firstEndOf(dates)]),
  };
}

export async function readSeriesCalendar(
  deps: Pick<Deps, 'db'>,
  seriesId: string,
): Promise<CalendarSnapshot<{ seriesId: string; title: string }> | null> {
  const series = await find(deps, seriesId);
  if (!series) return null;
  const entries = await comingEntriesOf(deps.db, seriesId, COMING_DATES_MAX);
  return {
    of: { seriesId, title: series.title },
    entries,
    shows: entries.map(({ id }) => id),
    now: series.now,
    changesAt: firstEndOf(entries),
  };
}

const find = async ({ db }: Pick<Deps, 'db'>, seriesId: string) =>
  PUBLIC_ID.test(seriesId) ? findSeries(db, seriesId) : undefined;

const venueOf = ({ street, city, state, venueName }: DateRow) => ({ street, city, state, venueName });

const isSameVenue = (one: DateRow, other: DateRow | undefined) =>
  JSON.stringify(venueOf(one)) === JSON.stringify(other && venueOf(other));
