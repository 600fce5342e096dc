import { sql } from 'kysely';
import type { GuestRow } from '#contract/forms/guest-details.ts';
import type { OrderRef } from '#domain/order.ts';
import type { Answers, GuestForm } from '#domain/sales/guest-form.ts';
import type { Db } from '#server/platform/database.ts';

/** Replaces the names and answers of the order. */
export async function replaceGuests(tx: Db, { eventId, orderId }: OrderRef, rows: readonly GuestRow[]): Promise<void> {
  await tx.deleteFrom('orderGuests').where('eventId', '=', eventId).where('orderId', '=', orderId).execute();
  if (rows.length === 0) return;
  await tx
    .insertInto('orderGuests')
    .values(rows.map((row) => ({ eventId, orderId, ...row, answers: JSON.stringify(row.answers) })))
    .execute();
}

export function guestsOfOrder(db: Db, { eventId, orderId }: OrderRef): Promise<GuestRow[]> {
  return db
    .selectFrom('orderGuests')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['position', 'name', 'answers'])
    .execute();
}

/** Of a paid order. Keeps the answers. */
export async function saveName(
  tx: Db,
  { eventId, orderId }: OrderRef,
  { position, name }: { position: number; name: string | null },
): Promise<void> {
  await tx
    .insertInto('orderGuests')
    .values({
      eventId,
      orderId,
      position,
      name,
      answers: '{}',
      ticketId: sql<string>`(select ticket_id from tickets_of_order(${eventId}, ${orderId}) n where n.position = ${position})`,
    })
    .onConflict((conflict) => conflict.columns(['eventId', 'orderId', 'position']).doUpdateSet({ name }))
    .execute();
}

/** Forgets what was known of the guest. */
export async function replaceGuest(
  tx: Db,
  { eventId, orderId }: OrderRef,
  { position, name }: { position: number; name: string | null },
): Promise<void> {
  await tx
    .deleteFrom('orderGuests')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('position', '=', position)
    .execute();
  if (name !== null) await saveName(tx, { eventId, orderId }, { position, name });
}

export interface TicketDetails {
  ticketId: string;
  name: string | null;
  /** Of the ticket and of its order. */
  answers: Answers;
  questions: GuestForm['questions'];
}

/** Of those of the tickets whose order was asked something. */
export async function detailsOfTickets(
  db: Db,
  tickets: readonly { eventId: string; id: string }[],
): Promise<TicketDetails[]> {
  if (tickets.length === 0) return [];
  const { rows } = await sql<TicketDetails>`
    select t.id as ticket_id, own.name, coalesce(of_order.answers, '{}') || coalesce(own.answers, '{}') as answers, f.questions
      from unnest(${tickets.map(({ eventId }) => eventId)}::text[], ${tickets.map(({ id }) => id)}::uuid[]) as wanted (event_id, id)
      join tickets t on t.event_id = wanted.event_id and t.id = wanted.id
      join orders o on o.event_id = t.event_id and o.id = t.order_id and o.form_version is not null
      join guest_forms f on f.event_id = o.event_id and f.version = o.form_version
      left join order_guests of_order on of_order.event_id = o.event_id and of_order.order_id = o.id and of_order.position = 0
      left join order_guests own on own.event_id = t.event_id and own.ticket_id = t.id`.execute(db);
  return rows;
}
