import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import { SOLD_STATES } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import type { Schema } from '#server/platform/schema.ts';

export function lockProof(tx: Db, { eventId, orderId }: OrderRef) {
  return tx
    .selectFrom('emailProofs')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Replaces the order's proof. */
export async function saveProof(
  tx: Db,
  proof: Omit<Schema['emailProofs'], 'wrongCodes'> & { wrongCodes: number },
): Promise<void> {
  await tx
    .insertInto('emailProofs')
    .values(proof)
    .onConflict((conflict) => conflict.columns(['eventId', 'orderId']).doUpdateSet(proof))
    .execute();
}

export async function forgetProof(tx: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await tx.deleteFrom('emailProofs').where('eventId', '=', eventId).where('orderId', '=', orderId).execute();
}

/** Serializes the completions of one address in one event until the transaction ends. */
export async function lockAddress(tx: Db, { eventId, email }: { eventId: string; email: string }): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${lockNamespaces.freeOrders}::integer, hashtext(${`${eventId} ${email.toLowerCase()}`}))`.execute(
    tx,
  );
}

/** The newest free order of the address with tickets that still admit. */
export function findEarlierOrder(db: Db, { eventId, email }: { eventId: string; email: string }) {
  return (
    db
      .selectFrom('orders as o')
      .where('o.eventId', '=', eventId)
      .where(sql<boolean>`lower(o.buyer_email) = lower(${email})`)
      .where('o.totalCents', '=', 0)
      .where('o.state', '=', 'paid')
      // A guest whom the organizer added may order as well.
      .where('o.compBatchId', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('tickets as t')
            .whereRef('t.eventId', '=', 'o.eventId')
            .whereRef('t.orderId', '=', 'o.id')
            .where('t.state', 'in', SOLD_STATES)
            .select('t.id'),
        ),
      )
      .orderBy('o.paidAt', 'desc')
      .select(['o.id as orderId', 'o.sessionId', 'o.linkVersion'])
      .executeTakeFirst()
  );
}
