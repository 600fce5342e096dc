import { sql } from 'kysely';
import type { EventGroup } from '#domain/sales/event-status.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';

interface Searched {
  /** The dates of this one, each on a line of its own. */
  seriesId: string | undefined;
  /** Part of the title or the subtitle. */
  q: string | undefined;
}

interface EventList extends Searched {
  group: EventGroup | undefined;
  /** The id of the event after which the page begins. */
  after: string | undefined;
}

type Member = Pick<Actor, 'organizationId' | 'onlyEventIds'>;

const IN_GROUP: Record<EventGroup, ReturnType<typeof sql<boolean>>> = {
  upcoming: sql<boolean>`(is_published and is_selling(cancelled_at, ends_at, business_now()))`,
  drafts: sql<boolean>`(not is_published)`,
  past: sql<boolean>`(is_published and cancelled_at is null and ends_at <= business_now())`,
  cancelled: sql<boolean>`(cancelled_at is not null)`,
};

/** Each as its latest event has it. A venue is a name at an address. */
export async function latestVenues(db: Db, { organizationId, onlyEventIds }: Member, limit: number) {
  const place = ['venueName', 'street', 'city', 'state', 'postalCode'] as const;
  const columns = [...place, 'timezone', 'latitude', 'longitude'] as const;
  const venues = db
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .$if(onlyEventIds !== null, (query) => query.where('id', 'in', ['', ...(onlyEventIds ?? [])]))
    .distinctOn(place)
    .select([...columns, 'startsAt'])
    .orderBy('venueName')
    .orderBy('street')
    .orderBy('city')
    .orderBy('state')
    .orderBy('postalCode')
    .orderBy('startsAt', 'desc');
  return db.selectFrom(venues.as('v')).select(columns).orderBy('startsAt', 'desc').limit(limit).execute();
}

/** Coming events by date, the others latest first; dates of one series in order. Only of the events that the member was given. */
export async function eventsOfGroup(db: Db, member: Member, list: EventList, limit: number) {
  const { group, seriesId, after } = list;
  const order = group === 'upcoming' || group === 'drafts' || (seriesId !== undefined && !group) ? 'asc' : 'desc';
  const isAfter = sql.raw(order === 'asc' ? '>' : '<');
  const isListed = group ? IN_GROUP[group] : sql<boolean>`true`;
  const isGrouped = group !== undefined && seriesId === undefined;
  // The dates of the line's series that are in the list, too. Unqualified columns are theirs.
  const dates = sql`events d where d.series_id = events.series_id and ${isListed} and ${isFound(member, list)}`;
  const isFirst = sql<boolean>`(series_id is null or id = (
    select d.id from ${dates} order by d.starts_at ${sql.raw(order)}, d.id ${sql.raw(order)} limit 1))`;
  const rows = ownEvents(db, member, list)
    .where(isListed)
    .where(isGrouped ? isFirst : sql<boolean>`true`)
    .selectAll()
    .select([sql<Date>`business_now()`.as('now'), isSoldOut.as('isSoldOut'), isPaidOut.as('isPaidOut')])
    .select(
      (isGrouped
        ? sql<number>`case when series_id is null then 1 else (select count(*)::int from ${dates}) end`
        : sql<number>`1`
      ).as('dates'),
    )
    .orderBy('startsAt', order)
    .orderBy('id', order)
    .limit(limit);
  if (after === undefined) return rows.execute();
  return rows
    .where(
      sql<boolean>`(starts_at, id) ${isAfter} (select last.starts_at, last.id from events last
        where last.id = ${after} and last.organization_id = ${member.organizationId})`,
    )
    .execute();
}

/** Lines: a series is one, unless its dates are asked for. */
export async function countByGroup(db: Db, member: Member, search: Searched): Promise<Record<EventGroup, number>> {
  const line = search.seriesId === undefined ? sql`coalesce(series_id, id)` : sql`id`;
  const count = (group: EventGroup) => sql<number>`count(distinct ${line}) filter (where ${IN_GROUP[group]})::int`;
  return ownEvents(db, member, search)
    .select([
      count('upcoming').as('upcoming'),
      count('drafts').as('drafts'),
      count('past').as('past'),
      count('cancelled').as('cancelled'),
    ])
    .executeTakeFirstOrThrow();
}

/** Ids in order of date, those of the member. */
export async function datesOfSeries(db: Db, member: Member, seriesId: string): Promise<string[]> {
  const dates = await ownEvents(db, member, { seriesId, q: undefined })
    .select('id')
    .orderBy('startsAt')
    .orderBy('id')
    .execute();
  return dates.map(({ id }) => id);
}

/** Of the organization; undefined for another's. */
export async function eventToFrame(db: Db, organizationId: string, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .selectAll()
    .select([sql<Date>`business_now()`.as('now'), isSoldOut.as('isSoldOut'), isPaidOut.as('isPaidOut')])
    .executeTakeFirst();
}

export async function ticketsOfferedBy(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('ticketTypes')
    .where('eventId', 'in', eventIds)
    .where('removedAt', 'is', null)
    .groupBy('eventId')
    .select((column) => [
      'eventId',
      column.fn.sum<number>('quantity').as('tickets'),
      column.fn.countAll<number>().as('types'),
    ])
    .execute();
}

/** No ticket type can be bought. */
export const isSoldOut = sql<boolean>`not exists (
  select from ticket_types t
   where t.event_id = events.id and t.removed_at is null
     and not is_sold_out(available_of(t.event_id, t.id, t.available, t.shares_capacity), t))`;

export const isPaidOut = sql<boolean>`exists (
  select from payouts p where p.event_id = events.id and p.paid_at is not null)`;

function ownEvents(db: Db, member: Member, search: Searched) {
  return db.selectFrom('events').where('organizationId', '=', member.organizationId).where(isFound(member, search));
}

function isFound({ onlyEventIds }: Member, { seriesId, q }: Searched) {
  const conditions = [
    ...(onlyEventIds ? [sql`id = any(${onlyEventIds})`] : []),
    ...(seriesId === undefined ? [] : [sql`series_id = ${seriesId}`]),
    ...(q ? [sql`position(lower(${q}) in lower(concat_ws(' ', title, subtitle))) > 0`] : []),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
