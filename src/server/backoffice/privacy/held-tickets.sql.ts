/** Tickets that were transferred to an address. What its holder paid for is in purchases.sql.ts. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface HeldTicketRow {
  eventId: string;
  orderId: string;
  ticketId: string;
  position: number;
  eventTitle: string;
  ticketName: string;
  confirmationNumber: string;
  state: string;
  scannedAt: Date | null;
  name: string | null;
  /** Needed until the event settles; null if it was cancelled. */
  settlesAt: Date | null;
}

/** Newest first. Only tickets of orders created by `at` are included. */
export async function heldTicketsOf(
  db: Db,
  { email, at, limit }: { email: string; at: Date; limit: number | null },
): Promise<HeldTicketRow[]> {
  const { rows } = await sql<HeldTicketRow>`
    select t.event_id, t.order_id, t.id as ticket_id, numbered.position, e.title as event_title, t.ticket_name, t.confirmation_number, t.state,
           t.scanned_at, g.name, case when e.cancelled_at is null then settles_at(e.latest_ends_at) end as settles_at
      from tickets t
      join events e on e.id = t.event_id
     cross join lateral (select n.position from tickets_of_order(t.event_id, t.order_id) n where n.ticket_id = t.id) as numbered
      left join order_guests g on g.event_id = t.event_id and g.order_id = t.order_id and g.position = numbered.position
     where lower(t.buyer_email) = lower(${email}) and t.transferred_count > 0 and t.issued_at <= ${at}
     order by t.issued_at desc, t.id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** Clears the holder's address, the row of that guest, and their passes: those of holders before are theirs. */
export async function eraseHolder(
  db: Db,
  { erased, tickets }: { erased: string; tickets: readonly HeldTicketRow[] },
): Promise<void> {
  for (const { eventId, orderId, ticketId, position } of tickets) {
    await sql`
      delete from wallet_passes w using tickets t
       where t.event_id = ${eventId} and t.id = ${ticketId} and w.event_id = t.event_id and w.ticket_id = t.id
         and w.transferred_count = t.transferred_count`.execute(db);
    await sql`update tickets set buyer_email = ${erased} where event_id = ${eventId} and id = ${ticketId}`.execute(db);
    await sql`
      delete from order_guests where event_id = ${eventId} and order_id = ${orderId} and position = ${position}`.execute(
      db,
    );
  }
}
