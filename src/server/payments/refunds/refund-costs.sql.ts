import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

const isBorneByOrganizer = sql<boolean>`e.fee_terms ->> 'refundCosts' = 'organizer'`;

interface RefundedPayment {
  feeCents: number;
  refundedCents: number;
  chargedCents: number;
  /** Costs that the ledger has already. */
  recordedCents: number;
}

/** Undefined if the platform bears the costs, or the fee is not known yet. Refunds made at Stripe cost the organizer nothing. */
export async function refundedPayment(db: Db, { eventId, orderId }: OrderRef): Promise<RefundedPayment | undefined> {
  const { rows } = await sql<RefundedPayment>`
    select fee.cents as fee_cents, coalesce(o.received_cents, o.total_cents) as charged_cents,
           (select coalesce(sum(cents), 0)::bigint from refunds
             where event_id = o.event_id and order_id = o.id and ticket_id is not null and state in ('sent', 'failed')) as refunded_cents,
           (select coalesce(sum(l.cents), 0)::bigint from ledger_entries l
             where l.event_id = o.event_id and l.kind = 'refund-costs' and l.account = 'receivables'
               and l.subject_id in (select o.id union all select id from refunds where event_id = o.event_id and order_id = o.id)) as recorded_cents
      from orders o
      join events e on e.id = o.event_id and ${isBorneByOrganizer}
      join ledger_entries fee on fee.event_id = o.event_id and fee.subject_id = o.id and fee.kind = 'card-fee' and fee.account = 'card-fees'
     where o.event_id = ${eventId} and o.id = ${orderId}`.execute(db);
  return rows[0];
}

export async function ordersWithCosts(db: Db, eventId: string): Promise<string[]> {
  const { rows } = await sql<{ orderId: string }>`
    select distinct r.order_id
      from refunds r
      join events e on e.id = r.event_id and ${isBorneByOrganizer}
     where r.event_id = ${eventId} and r.ticket_id is not null and r.cents > 0 and r.state in ('sent', 'failed')`.execute(
    db,
  );
  return rows.map(({ orderId }) => orderId);
}
