import { sql, type Updateable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Locks the event against checkouts until the transaction ends: what reserves after it sees the brake. */
export async function lockEventOnSale(db: Db, eventId: string) {
  await sql`
    select pg_advisory_xact_lock(${lockNamespaces.sales}::int, hashtext(id)) from events where id = ${eventId}`.execute(
    db,
  );
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['id', 'organizationId', 'salesStoppedAt', 'suspendedAt', 'paidSalesStoppedAt', 'pausedSales'])
    .select(sql<Date>`business_now()`.as('now'))
    .forUpdate()
    .executeTakeFirst();
}

export type BrakeColumns = Pick<
  Updateable<Schema['events']>,
  'salesStoppedAt' | 'salesStoppedBy' | 'stopReason' | 'suspendedAt' | 'paidSalesStoppedAt'
>;

/** @returns what is paused from now on */
export async function updateBrakes(db: Db, eventId: string, columns: BrakeColumns) {
  const { pausedSales } = await db
    .updateTable('events')
    .set(columns)
    .where('id', '=', eventId)
    .returning('pausedSales')
    .executeTakeFirstOrThrow();
  return pausedSales;
}

/** Those that can still sell, and those that a brake of the organization is copied to. */
export async function eventsToBrake(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .where(({ or, eb }) =>
      or([
        eb('suspendedAt', 'is not', null),
        eb('paidSalesStoppedAt', 'is not', null),
        eb.and([eb('cancelledAt', 'is', null), eb('payoutRequestedAt', 'is', null)]),
      ]),
    )
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
