import { type ExpressionBuilder, sql } from 'kysely';
import type { EventGroup } from '#domain/sales/event-status.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { Schema } from '#server/platform/schema.ts';

interface EventList {
  group: EventGroup | undefined;
  /** Part of the title. */
  q: string | undefined;
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

/** Coming events by date, the others latest first. Only of the events that the member was given. */
export async function eventsOfGroup(db: Db, member: Member, { group, q, after }: EventList, limit: number) {
  const order = group === 'upcoming' ? 'asc' : 'desc';
  const isAfter = sql.raw(group === 'upcoming' ? '>' : '<');
  const rows = ownEvents(db, member, q)
    .where(group ? IN_GROUP[group] : sql<boolean>`true`)
    .selectAll()
    .select([sql<Date>`business_now()`.as('now'), isSoldOut.as('isSoldOut'), isPaidOut.as('isPaidOut')])
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

export async function countByGroup(db: Db, member: Member, q: string | undefined): Promise<Record<EventGroup, number>> {
  const count = (group: EventGroup) => sql<number>`count(*) filter (where ${IN_GROUP[group]})`;
  return ownEvents(db, member, q)
    .select([
      count('upcoming').as('upcoming'),
      count('drafts').as('drafts'),
      count('past').as('past'),
      count('cancelled').as('cancelled'),
    ])
    .executeTakeFirstOrThrow();
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
const isSoldOut = sql<boolean>`not exists (
  select from ticket_types t
   where t.event_id = events.id and t.removed_at is null and available_of(t.event_id, t.id, t.available, t.shares_capacity) > 0)`;

const isPaidOut = sql<boolean>`exists (
  select from payouts p where p.event_id = events.id and p.paid_at is not null)`;

function ownEvents(db: Db, { organizationId, onlyEventIds }: Member, q: string | undefined) {
  const isFound = (column: ExpressionBuilder<Schema, 'events'>) =>
    column.and([
      ...(onlyEventIds ? [column('id', 'in', onlyEventIds)] : []),
      ...(q ? [sql<boolean>`position(lower(${q}) in lower(title)) > 0`] : []),
    ]);
  return db.selectFrom('events').where('organizationId', '=', organizationId).where(isFound);
}
