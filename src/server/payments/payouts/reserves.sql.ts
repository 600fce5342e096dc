import { sql } from 'kysely';
import type { HeldPart } from '#domain/payouts/brakes.ts';
import { isHeld } from '#server/payments/holds/holds.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { PayoutRef } from './payouts.sql.ts';

export async function hasPayouts(db: Db, organizationId: string): Promise<boolean> {
  const payout = await db
    .selectFrom('payouts as p')
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('e.organizationId', '=', organizationId)
    .select('p.id')
    .limit(1)
    .executeTakeFirst();
  return payout !== undefined;
}

export async function insertReserves(db: Db, payout: PayoutRef, parts: readonly HeldPart[]): Promise<void> {
  if (parts.length === 0) return;
  await db
    .insertInto('payoutReserves')
    .values(parts.map((part) => ({ ...payout, id: newId(), ...part, paidBy: null })))
    .execute();
}

export interface ReserveRef {
  eventId: string;
  reserveId: string;
}

/** Oldest first. */
export function dueReserves(db: Db, limit: number): Promise<ReserveRef[]> {
  return (
    db
      .selectFrom('payoutReserves')
      .where('paidBy', 'is', null)
      .whereRef('takenCents', '<', 'cents')
      .where('dueAt', '<=', sql<Date>`business_now()`)
      // They would fill the batch.
      .where(({ not }) => not(isHeld(sql.ref('payoutReserves.eventId'))))
      .select(['eventId', 'id as reserveId'])
      .orderBy('dueAt')
      .limit(limit)
      .execute()
  );
}

/** What is left of it. Undefined if it is paid, used up or not due. The caller locks the event. */
export function dueReserve(db: Db, { eventId, reserveId }: ReserveRef) {
  return db
    .selectFrom('payoutReserves')
    .where('eventId', '=', eventId)
    .where('id', '=', reserveId)
    .where('paidBy', 'is', null)
    .whereRef('takenCents', '<', 'cents')
    .where('dueAt', '<=', sql<Date>`business_now()`)
    .select((column) => ['kind', column('cents', '-', column.ref('takenCents')).as('cents')])
    .executeTakeFirst();
}

export async function markReservePaid(db: Db, { eventId, reserveId }: ReserveRef, paidBy: string): Promise<void> {
  await db
    .updateTable('payoutReserves')
    .set({ paidBy })
    .where('eventId', '=', eventId)
    .where('id', '=', reserveId)
    .execute();
}

/** What the event's payouts still hold back. */
export async function unpaidReserveCents(db: Db, eventId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('payoutReserves')
    .where('eventId', '=', eventId)
    .where('paidBy', 'is', null)
    .select(sql<number>`coalesce(sum(cents - taken_cents), 0)::bigint`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}

/** Takes up to `cents` of what is held back: the reserve first, then the rest of a capped payout. The caller locks the event. */
export async function takeFromReserves(db: Db, eventId: string, cents: number): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    with free as (
      select id, cents - taken_cents as cents, sum(cents - taken_cents) over (order by kind, id) as until
        from payout_reserves
       where event_id = ${eventId} and paid_by is null
    ), taken as (
      update payout_reserves r
         set taken_cents = r.taken_cents + least(free.cents, ${cents} - (free.until - free.cents))
        from free
       where r.event_id = ${eventId} and r.id = free.id and free.cents > 0 and free.until - free.cents < ${cents}
      returning least(free.cents, ${cents} - (free.until - free.cents)) as cents)
    select coalesce(sum(cents), 0)::int as cents from taken`.execute(db);
  return rows[0]?.cents ?? 0;
}
