/** Changes of issued tickets, for refunds and disputes. Checking in is in admit.sql.ts. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

/** Locked so that a check-in and a refund can't both succeed. */
export async function lockTicket(tx: Db, eventId: string, confirmationNumber: string) {
  return tx
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', confirmationNumber)
    .select(['id', 'orderId', 'priceCents', 'state', 'transferredCount'])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** By id; with `locks` as above. */
export async function findTicket(
  db: Db,
  { eventId, ticketId }: { eventId: string; ticketId: string },
  { locks = false } = {},
) {
  return db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('id', '=', ticketId)
    .select(['orderId', 'state'])
    .$if(locks, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** Of the order, those of them that are its tickets; locked as above, in the order of their ids. */
export async function lockTicketsOf(tx: Db, { eventId, orderId }: OrderRef, ticketIds: readonly string[]) {
  return tx
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('id', 'in', ticketIds)
    .select(['id', 'confirmationNumber', 'priceCents', 'state'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** When an operator last undid a check-in of the ticket; null if never. */
export async function checkInUndoneAt(tx: Db, eventId: string, ticketId: string): Promise<Date | null> {
  const { at } = await tx
    .selectFrom('earlyCheckIns')
    .where('eventId', '=', eventId)
    .where('ticketId', '=', ticketId)
    .where('outcome', '=', 'undone')
    .select((column) => column.fn.max('endedAt').as('at'))
    .executeTakeFirstOrThrow();
  return at;
}

/** From now on the tickets admit no one. Their stock is released once the refund is sent. */
export async function startRefund(tx: Db, eventId: string, ticketIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ state: 'refunding' })
    .where('eventId', '=', eventId)
    .where('id', 'in', ticketIds)
    .execute();
}

/** The refund was sent: the ticket is gone, and its stock can be sold again. */
export async function finishRefund(tx: Db, eventId: string, ticketId: string): Promise<void> {
  await sql`
    with refunded as (
      update tickets set state = 'refunded' where event_id = ${eventId} and id = ${ticketId} returning event_id, id)
    select release_tickets(event_id, array_agg(id)) from refunded group by event_id`.execute(tx);
}

/** The refund was withdrawn, or refused by Stripe. */
export async function restoreTicket(tx: Db, eventId: string, ticketId: string): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ state: 'valid' })
    .where('eventId', '=', eventId)
    .where('id', '=', ticketId)
    .where('state', '=', 'refunding')
    .execute();
}

/** Voids the order's tickets and releases their stock. A scanned ticket keeps its stock, because its guest is inside. */
export async function voidTickets(tx: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await sql`
    with locked as (
      select id from tickets
       where event_id = ${eventId} and order_id = ${orderId} and state in ('valid', 'scanned', 'refunding')
       order by id for no key update
    ), voided as (
      update tickets t set state = 'void', disputed_at = null
        from locked where t.event_id = ${eventId} and t.id = locked.id
      returning t.event_id, t.id, t.scanned_at
    )
    select release_tickets(event_id, array_agg(id)) from voided where scanned_at is null group by event_id`.execute(tx);
}

/** Includes tickets with a refund in progress, because Stripe may refuse that refund now. */
export async function markDisputed(tx: Db, { eventId, orderId }: OrderRef, at: Date): Promise<void> {
  await sql`
    with locked as (
      select id from tickets
       where event_id = ${eventId} and order_id = ${orderId} and state in ('valid', 'scanned', 'refunding')
       order by id for no key update)
    update tickets t set disputed_at = ${at}
      from locked
     where t.event_id = ${eventId} and t.id = locked.id and t.disputed_at is null`.execute(tx);
}

export async function clearDispute(tx: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await sql`
    with locked as (
      select id from tickets
       where event_id = ${eventId} and order_id = ${orderId} and disputed_at is not null
       order by id for no key update)
    update tickets t set disputed_at = null
      from locked where t.event_id = ${eventId} and t.id = locked.id`.execute(tx);
}
