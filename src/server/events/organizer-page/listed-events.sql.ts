import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Those of a calendar entry, and how it sells. */
const COLUMNS = [
  'e.id',
  'e.seriesId',
  'e.title',
  'e.subtitle',
  'e.timezone',
  'e.startsAt',
  'e.endsAt',
  'e.cancelledAt',
  'e.street',
  'e.city',
  'e.state',
  'e.postalCode',
  'e.venueName',
  'e.isListed',
  'e.salesStartAt',
  'e.pausedSales',
] as const;

const CHANGES = sql<number>`(select count(*)::int from event_changes c where c.event_id = e.id)`.as('changes');

/** Soonest first, like all of these. */
export function listedEventsOf(db: Db, organizationId: string, limit: number) {
  return listed(db, organizationId, limit).execute();
}

export function listedEntriesOf(db: Db, organizationId: string, limit: number) {
  return listed(db, organizationId, limit).select(CHANGES).execute();
}

export function comingDatesOf(db: Db, seriesId: string, limit: number) {
  return coming(db, seriesId, limit).select('e.description').execute();
}

export function comingEntriesOf(db: Db, seriesId: string, limit: number) {
  return coming(db, seriesId, limit).select(CHANGES).execute();
}

const listed = (db: Db, organizationId: string, limit: number) =>
  soonest(db, limit).where('e.organizationId', '=', organizationId).where(sql<boolean>`is_listed_now(e)`);

const coming = (db: Db, seriesId: string, limit: number) =>
  soonest(db, limit).where('e.seriesId', '=', seriesId).where(sql<boolean>`is_coming_date(e)`);

const soonest = (db: Db, limit: number) =>
  db.selectFrom('events as e').select(COLUMNS).orderBy('e.startsAt').orderBy('e.id').limit(limit);

/** Undefined unless the public finds a date of it. Its title is that of its dates, which share it. */
export function findSeries(db: Db, seriesId: string) {
  return db
    .selectFrom('events as e')
    .innerJoin('organizations as o', 'o.id', 'e.organizationId')
    .where('e.seriesId', '=', seriesId)
    .where('e.isPublished', '=', true)
    .select(['e.id as lastDate', 'e.title', 'o.name', 'o.accent', sql<Date>`business_now()`.as('now')])
    .select(sql<string | null>`case when has_page(o) then o.slug end`.as('slug'))
    .orderBy('e.startsAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}
