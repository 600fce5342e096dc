/** Stock: reserving it again and releasing it. Reserving for new orders is in reserve.sql.ts. The SQL functions document their contracts. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { advisoryLocks } from '#server/platform/locks.ts';

/** Locks the order's ticket types. Lock order everywhere: stock before order. */
export async function lockStock(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  const types = db.selectFrom('orderLines').where('eventId', '=', eventId).where('orderId', '=', orderId);
  await db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .where('id', 'in', types.select('ticketTypeId'))
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** For a payment that arrives after the reservation expired: reserves all of the order's tickets again, or none. */
export async function reserveAgain(tx: Db, { eventId, orderId }: OrderRef): Promise<boolean> {
  const { rows } = await sql<{ isReserved: boolean }>`
    select reserve_again(${eventId}, ${orderId}) as is_reserved`.execute(tx);
  return rows[0]?.isReserved ?? false;
}

/** Releases the order's tickets, and its position in the checkout queue. The caller holds the order's lock. */
export async function releaseOrder(tx: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await sql`select release_lines(array[${eventId}], array[${orderId}]::uuid[])`.execute(tx);
}

export interface Released {
  released: number;
  /** The latest expiry among them. */
  reached: Date | null;
}

/** `null` when another server is already releasing and `waits` is false. */
export async function releaseExpiredOrders(
  db: Db,
  {
    atMost,
    since = null,
    eventId = null,
    waits = false,
  }: { atMost: number; since?: Date | null; eventId?: string | null; waits?: boolean },
): Promise<Released | null> {
  const { rows } = await sql<Released>`
    select * from release_expired(
      ${advisoryLocks.releaseExpired}, ${atMost}, coalesce(${since}::timestamptz, '-infinity'), ${eventId}::text, ${waits})`.execute(
    db,
  );
  return rows[0] ?? null;
}
