import { sql } from 'kysely';
import type { GuestRow } from '#contract/forms/guest-details.ts';
import type { OrderRef } from '#domain/order.ts';
import type { Answers, GuestForm } from '#domain/sales/guest-form.ts';
import type { Db } from '#server/platform/database.ts';

/** Replaces the names and answers of the order. Notes of the organizer stay. */
export async function replaceGuests(tx: Db, { eventId, orderId }: OrderRef, rows: readonly GuestRow[]): Promise<void> {
  await sql`
    delete from order_guests where event_id = ${eventId} and order_id = ${orderId} and door_note is null`.execute(tx);
  await sql`
    update order_guests set name = null, answers = '{}' where event_id = ${eventId} and order_id = ${orderId}`.execute(
    tx,
  );
  if (rows.length === 0) return;
  await tx
    .insertInto('orderGuests')
    .values(rows.map((row) => ({ eventId, orderId, ...row, answers: JSON.stringify(row.answers) })))
    .onConflict((conflict) =>
      conflict
        .columns(['eventId', 'orderId', 'position'])
        .doUpdateSet(({ ref }) => ({ name: ref('excluded.name'), answers: ref('excluded.answers') })),
    )
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

/** Undefined for a ticket of another event. */
export async function placeOfTicket(
  db: Db,
  { eventId, ticketId }: { eventId: string; ticketId: string },
): Promise<{ orderId: string; position: number } | undefined> {
  const { rows } = await sql<{ orderId: string; position: number }>`
    select t.order_id, n.position
      from tickets t cross join lateral tickets_of_order(t.event_id, t.order_id) as n
     where t.event_id = ${eventId} and t.id = ${ticketId} and n.ticket_id = t.id`.execute(db);
  return rows[0];
}

/** Null without a note. */
export async function saveDoorNote(
  tx: Db,
  { eventId, orderId }: OrderRef,
  { position, ticketId, doorNote }: { position: number; ticketId: string; doorNote: string | null },
): Promise<void> {
  await tx
    .insertInto('orderGuests')
    .values({ eventId, orderId, position, ticketId, doorNote, name: null, answers: '{}' })
    .onConflict((conflict) => conflict.columns(['eventId', 'orderId', 'position']).doUpdateSet({ doorNote }))
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

export interface NotedTicket {
  doorNote: string | null;
  /** Of the ticket and of its order. */
  answers: Answers;
  /** Those that its order was asked, and that the door is shown now. */
  questions: GuestForm['questions'];
}

export async function notedTicket(
  db: Db,
  { eventId, confirmationNumber }: { eventId: string; confirmationNumber: string },
): Promise<NotedTicket | undefined> {
  const { rows } = await sql<NotedTicket>`
    select own.door_note, coalesce(of_order.answers, '{}') || coalesce(own.answers, '{}') as answers,
           (select coalesce(jsonb_agg(q.question order by q.at), '[]')
              from jsonb_array_elements(f.questions) with ordinality as q (question, at)
             where (select (n.question ->> 'isShownAtDoor')::boolean
                      from guest_forms w cross join jsonb_array_elements(w.questions) as n (question)
                     where w.event_id = t.event_id and n.question ->> 'id' = q.question ->> 'id'
                     order by w.version desc limit 1)) as questions
      from tickets t
      join orders o on o.event_id = t.event_id and o.id = t.order_id
      left join guest_forms f on f.event_id = o.event_id and f.version = o.form_version
      left join order_guests of_order on of_order.event_id = o.event_id and of_order.order_id = o.id and of_order.position = 0
      left join order_guests own on own.event_id = t.event_id and own.ticket_id = t.id
     where t.event_id = ${eventId} and t.confirmation_number = ${confirmationNumber}`.execute(db);
  return rows[0];
}

export interface TicketDetails {
  ticketId: string;
  name: string | null;
  /** Of the ticket and of its order. */
  answers: Answers;
  questions: GuestForm['questions'];
  doorNote: string | null;
}

/** Of those of the tickets whose order has names, answers or notes. */
export async function detailsOfTickets(
  db: Db,
  tickets: readonly { eventId: string; id: string }[],
): Promise<TicketDetails[]> {
  if (tickets.length === 0) return [];
  const { rows } = await sql<TicketDetails>`
    select t.id as ticket_id, own.name, coalesce(of_order.answers, '{}') || coalesce(own.answers, '{}') as answers,
           coalesce(f.questions, '[]') as questions, own.door_note
      from unnest(${tickets.map(({ eventId }) => eventId)}::text[], ${tickets.map(({ id }) => id)}::uuid[]) as wanted (event_id, id)
      join tickets t on t.event_id = wanted.event_id and t.id = wanted.id
      join orders o on o.event_id = t.event_id and o.id = t.order_id
       and exists (select from order_guests g where g.event_id = o.event_id and g.order_id = o.id)
      left join guest_forms f on f.event_id = o.event_id and f.version = o.form_version
      left join order_guests of_order on of_order.event_id = o.event_id and of_order.order_id = o.id and of_order.position = 0
      left join order_guests own on own.event_id = t.event_id and own.ticket_id = t.id`.execute(db);
  return rows;
}
