import { sql, type Updateable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import type { Schema } from '#server/platform/schema.ts';

/**
 * Locks the organization's event until the transaction ends, against checkouts, cancellation and payouts. Carts that arrive while it
 * waits are served after it.
 */
export async function lockOwnEvent(db: Db, organizationId: string, eventId: string) {
  await sql`
    select pg_advisory_xact_lock(${lockNamespaces.sales}::int, hashtext(id)) from events
     where id = ${eventId} and organization_id = ${organizationId}`.execute(db);
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .selectAll()
    .select(sql<Date>`business_now()`.as('now'))
    .forUpdate()
    .executeTakeFirst();
}

/** Locks in order of ID, like every other transaction that changes stock. */
export function lockTicketTypes(db: Db, eventId: string) {
  return db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .selectAll()
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function updateEvent(db: Db, eventId: string, columns: Updateable<Schema['events']>): Promise<void> {
  await db.updateTable('events').set(columns).where('id', '=', eventId).execute();
}

export async function removeTicketTypes(db: Db, eventId: string, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('ticketTypes')
    .set({ removedAt: at })
    .where('eventId', '=', eventId)
    .where('id', 'in', ids)
    .execute();
}

/** Sets temporary unique names, so that two types can then swap theirs. */
export async function clearNames(db: Db, eventId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('ticketTypes')
    .set({ name: sql<string>`id::text` })
    .where('eventId', '=', eventId)
    .where('id', 'in', ids)
    .execute();
}

export async function updateTicketType(
  db: Db,
  eventId: string,
  id: string,
  columns: Updateable<Schema['ticketTypes']>,
): Promise<void> {
  await db.updateTable('ticketTypes').set(columns).where('eventId', '=', eventId).where('id', '=', id).execute();
}

export async function countEventChanges(db: Db, eventId: string, since: Date): Promise<number> {
  const row = await db
    .selectFrom('eventChanges')
    .where('eventId', '=', eventId)
    .where('changedAt', '>', since)
    .select((column) => column.fn.countAll<number>().as('changes'))
    .executeTakeFirstOrThrow();
  return row.changes;
}

export async function recordEventChange(db: Db, change: Schema['eventChanges']): Promise<void> {
  await db.insertInto('eventChanges').values(change).execute();
}

/** Those of `listBuyersAfter`. */
export async function countBuyers(db: Db, eventId: string): Promise<number> {
  const { rows } = await sql<{ buyers: number }>`
    select count(distinct lower(buyer_email))::int as buyers
      from tickets where event_id = ${eventId} and counts_as_sold(state)`.execute(db);
  return rows[0]?.buyers ?? 0;
}

/** One page of buyers with a valid or scanned ticket, one row per address, in order of address. */
export async function listBuyersAfter(db: Db, eventId: string, after: string, limit: number) {
  const { rows } = await sql<{ key: string; address: string }>`
    select lower(buyer_email) as key, min(buyer_email) as address
      from tickets
     where event_id = ${eventId} and counts_as_sold(state) and lower(buyer_email) > ${after}
     group by lower(buyer_email)
     order by lower(buyer_email)
     limit ${limit}`.execute(db);
  return rows;
}

export async function markCancelled(db: Db, eventId: string): Promise<void> {
  await db.updateTable('events').set({ cancelledAt: sql<Date>`business_now()` }).where('id', '=', eventId).execute();
}
