import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** A series counts once. `isCounted` says whether the given one is among them. */
export async function countActiveEvents(
  db: Db,
  organizationId: string,
  seriesId: string | null,
): Promise<{ active: number; isCounted: boolean }> {
  return db
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .where('isPublished', '=', true)
    .where('cancelledAt', 'is', null)
    .where('endsAt', '>', sql<Date>`business_now()`)
    .select([countOnce.as('active'), hasDateOf(seriesId).as('isCounted')])
    .executeTakeFirstOrThrow();
}

/** The same of drafts. */
export async function countDrafts(
  tx: Db,
  organizationId: string,
  seriesId: string | null,
): Promise<{ drafts: number; isCounted: boolean }> {
  return tx
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .where('isPublished', '=', false)
    .select([countOnce.as('drafts'), hasDateOf(seriesId).as('isCounted')])
    .executeTakeFirstOrThrow();
}

const countOnce = sql<number>`count(distinct coalesce(series_id, id))::int`;
const hasDateOf = (seriesId: string | null) => sql<boolean>`coalesce(bool_or(series_id = ${seriesId}), false)`;

export type NewEvent = Omit<
  Insertable<Schema['events']>,
  'attendantCodeVersion' | 'cancelledAt' | 'announcedEndsAt' | 'publishedAt'
> & { publishedAt: Date | null };
export type NewTicketType = Omit<
  Insertable<Schema['ticketTypes']>,
  'eventId' | 'isPublished' | 'reserved' | 'removedAt' | 'sharesCapacity'
>;

export async function insertEvent(db: Db, event: NewEvent, types: readonly NewTicketType[]): Promise<void> {
  await db.insertInto('events').values(event).execute();
  await insertTicketTypes(db, { id: event.id, isPublished: event.publishedAt !== null }, types);
}

export async function insertTicketTypes(
  db: Db,
  { id: eventId, isPublished }: { id: string; isPublished: boolean },
  types: readonly NewTicketType[],
): Promise<void> {
  if (types.length === 0) return;
  await db
    .insertInto('ticketTypes')
    .values(types.map((type) => ({ ...type, eventId, isPublished })))
    .execute();
}

/** Asked of made-up ids, so it costs a small part of what reading an event does. */
export async function isPublished(db: Db, eventId: string): Promise<boolean> {
  const { rows } =
    await sql`/* prepared is_published */ select from events where id = ${eventId} and is_published`.execute(db);
  return rows.length > 0;
}

/** For the public, to which a draft is an unknown event. */
export async function publicEventRow(db: Db, eventId: string) {
  return eventWithOrganization(db, eventId).where('e.isPublished', '=', true).executeTakeFirst();
}

/** For members, who see drafts too. */
export async function eventRow(db: Db, eventId: string) {
  return eventWithOrganization(db, eventId).executeTakeFirst();
}

function eventWithOrganization(db: Db, eventId: string) {
  return db
    .selectFrom('events as e')
    .innerJoin('organizations as o', 'o.id', 'e.organizationId')
    .where('e.id', '=', eventId)
    .selectAll('e')
    .select(['o.name as organizationName', 'o.bio as organizationBio', 'o.accent', sql<Date>`business_now()`.as('now')])
    .select(sql<string | null>`case when has_page(o) then o.slug end`.as('organizerSlug'))
    .select(
      sql<boolean>`exists (select from event_page_versions v where v.event_id = e.id and v.is_listed)`.as('hasChanges'),
    )
    .select(
      sql<boolean>`exists (select from promo_codes c where c.event_id = e.id and c.ended_at is null)`.as(
        'hasPromoCodes',
      ),
    );
}

/** Later dates of a series last. Drafts and active events first, each group newest first. */
export async function eventRowsOf(
  db: Db,
  organizationId: string,
  { only, limit }: { only: readonly string[] | null; limit: number },
) {
  const all = db.selectFrom('events').where('organizationId', '=', organizationId);
  const own = only ? all.where('id', 'in', only) : all;
  return own
    .selectAll()
    .orderBy(isLaterDate)
    .orderBy(sql`not is_published or is_selling(cancelled_at, ends_at, business_now())`, 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Another one of its series comes first. */
const isLaterDate = sql<boolean>`
  cancelled_at is null and (not is_published or ends_at > business_now()) and exists (
    select from events earlier
     where earlier.series_id = events.series_id and earlier.is_published = events.is_published
       and earlier.cancelled_at is null and (not earlier.is_published or earlier.ends_at > business_now())
       and (earlier.starts_at, earlier.id) < (events.starts_at, events.id))`;

/** Undefined if it isn't the organization's. */
export async function standingOf(
  db: Db,
  organizationId: string,
  eventId: string,
): Promise<{ isPublished: boolean } | undefined> {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .select('isPublished')
    .executeTakeFirst();
}

export async function ticketTypeRows(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('ticketTypes')
    .where('eventId', 'in', eventIds)
    .where('removedAt', 'is', null)
    .selectAll()
    .select(sql<number>`available_of(event_id, id, available, shares_capacity)`.as('availableToBuy'))
    .orderBy('position')
    .execute();
}

/** Only those that still wait for the same type. Returns their ids. Locks in the order of their ids, like every sale. */
export async function markOpened(
  db: Db,
  eventId: string,
  types: readonly { id: string; opensAfter: string | null }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    update ticket_types t set opened_at = business_now()
      from (select w.id from unnest(${types.map(({ id }) => id)}::uuid[], ${types.map(({ opensAfter }) => opensAfter)}::uuid[])
                     as expected (id, opens_after)
              join ticket_types w on w.event_id = ${eventId} and w.id = expected.id and w.opens_after = expected.opens_after
             where w.opened_at is null
             order by w.id for no key update of w) as due
     where t.event_id = ${eventId} and t.id = due.id
    returning t.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** `day` is the start date in the event's time zone. */
export function ownEventToExport(db: Db, organizationId: string, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .select(['title', 'timezone', sql<string>`to_char(starts_at at time zone timezone, 'YYYY-MM-DD')`.as('day')])
    .executeTakeFirst();
}

/** False if the event belongs to another organization. The new version invalidates every grant for the previous code. */
export async function setAttendantCode(
  db: Db,
  { eventId, organizationId, attendantCode }: { eventId: string; organizationId: string; attendantCode: string },
): Promise<boolean> {
  const event = await db
    .updateTable('events')
    .set((column) => ({ attendantCode, attendantCodeVersion: column('attendantCodeVersion', '+', 1) }))
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .returning('id')
    .executeTakeFirst();
  return event !== undefined;
}
