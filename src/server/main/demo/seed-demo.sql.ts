import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { advisoryLocks } from '#server/platform/locks.ts';

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function findOrganizer(db: Db, email: string) {
  return db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.userId', 'u.id')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .where('u.email', '=', email)
    .select(['u.id as userId', 'u.email', 'u.emailVerifiedAt', 'u.isAdmin'])
    .select(['m.role', 'o.id as organizationId', 'o.name as organizationName'])
    .executeTakeFirst();
}

/** Replaces the click on the link in the verification email. */
export async function markVerified(db: Db, email: string, at: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ emailVerifiedAt: at })
    .where('email', '=', email)
    .where('emailVerifiedAt', 'is', null)
    .execute();
}

export function findEvent(db: Db, organizationId: string, title: string) {
  return db
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .where('title', '=', title)
    .select(['id', 'attendantCode', 'endsAt', 'cancelledAt'])
    .orderBy('createdAt')
    .executeTakeFirst();
}

export async function hasPhotos(db: Db, eventId: string): Promise<boolean> {
  const photo = await db.selectFrom('eventPhotos').where('eventId', '=', eventId).select('id').executeTakeFirst();
  return photo !== undefined;
}

export async function buyersOf(db: Db, eventId: string): Promise<string[]> {
  const rows = await db.selectFrom('tickets').where('eventId', '=', eventId).select('buyerEmail').distinct().execute();
  return rows.flatMap(({ buyerEmail }) => buyerEmail ?? []);
}

export async function numbersToAdmit(db: Db, eventId: string, noShowEmail: string): Promise<string[]> {
  const rows = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('state', '=', 'valid')
    .where('buyerEmail', '!=', noShowEmail)
    .select('confirmationNumber')
    .execute();
  return rows.map((row) => row.confirmationNumber);
}

/** Backdated, so that the profile lists it below the event on sale. */
export async function markCancelled(db: Db, eventId: string, at: Date): Promise<void> {
  const createdAt = new Date(at.getTime() - 20 * 24 * 60 * 60 * 1000);
  await db.updateTable('events').set({ cancelledAt: at, createdAt }).where('id', '=', eventId).execute();
}

export async function startNow(db: Db, eventId: string, at: Date): Promise<void> {
  await db.updateTable('events').set({ startsAt: at }).where('id', '=', eventId).execute();
}

/**
 * Moves the event, its sales (a week before it) and its scans to the past, in the caller's transaction. The event comes first,
 * the lock order of the webhook events that may still arrive.
 */
export async function moveToThePast(tx: Db, eventId: string, when: { startsAt: Date; endsAt: Date }): Promise<void> {
  const startsAt = sql<Date>`${when.startsAt}::timestamptz`;
  await sql`
    update events set starts_at = ${startsAt}, ends_at = ${when.endsAt}, created_at = ${startsAt} - interval '30 days'
     where id = ${eventId}`.execute(tx);
  await sql`
    update orders
       set created_at = ${startsAt} - interval '7 days',
           paid_at = ${startsAt} - interval '7 days',
           reservation_expires_at = ${startsAt} - interval '7 days' + interval '31 minutes'
     where event_id = ${eventId} and state = 'paid'`.execute(tx);
  await sql`
    update tickets t
       set issued_at = ${startsAt} - interval '7 days',
           scanned_at = case when state = 'scanned' then ${startsAt} + numbered.position * interval '4 minutes' end
      from (select id, row_number() over (order by id) as position from tickets where event_id = ${eventId}) numbered
     where t.event_id = ${eventId} and t.id = numbered.id`.execute(tx);
  await countHoursAgain(tx, eventId);
}

/** Sales by hour are counted when tickets are issued, at an hour that never changes otherwise. */
async function countHoursAgain(tx: Db, eventId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.ticketTotals})`.execute(tx);
  await sql`delete from ticket_hours where event_id = ${eventId}`.execute(tx);
  await sql`update ticket_total_changes set issued_hour = null where event_id = ${eventId}`.execute(tx);
  await sql`
    insert into ticket_hours (event_id, ticket_type_id, hour, sold)
    select event_id, ticket_type_id, hour_of(issued_at), count(*)
      from tickets
     where event_id = ${eventId} and counts_as_sold(state)
     group by event_id, ticket_type_id, hour_of(issued_at)`.execute(tx);
}
