/** Rows of an event's files, in pieces by id. Times are in the time zone of the event, as `2026-06-12 19:42:10`. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface Piece {
  eventId: string;
  timezone: string;
  /** The last id of the piece before. */
  after: string | null;
  limit: number;
}

const local = (column: string, timezone: string) =>
  sql`to_char(${sql.raw(column)} at time zone ${timezone}, 'YYYY-MM-DD HH24:MI:SS')`;

interface OrderRow {
  id: string;
  state: string;
  name: string | null;
  email: string | null;
  tickets: number;
  totalCents: number;
  discountCents: number;
  channel: string;
  link: string | null;
  code: string | null;
  orderedAt: string;
  paidAt: string | null;
}

/** Those with a payment, and free ones. */
export async function ordersToExport(db: Db, { eventId, timezone, after, limit }: Piece): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.id, o.state, o.buyer_name as name, o.buyer_email as email, coalesce(l.tickets, 0)::int as tickets,
           coalesce(o.received_cents, o.total_cents) as total_cents, coalesce(l.discount_cents, 0)::int as discount_cents,
           channel_of(b.is_import) as channel, k.name as link, p.code,
           ${local('o.created_at', timezone)} as ordered_at, ${local('o.paid_at', timezone)} as paid_at
      from orders o
      left join comp_batches b on b.event_id = o.event_id and b.id = o.comp_batch_id
      left join tracking_links k on k.event_id = o.event_id and k.id = o.link_id
     cross join lateral (
       select sum(quantity) as tickets, sum(discount_cents * quantity) filter (where source = 'promo') as discount_cents,
              (array_agg(promo_code_id) filter (where promo_code_id is not null))[1] as promo_code_id
         from order_lines where event_id = o.event_id and order_id = o.id) l
      left join promo_codes p on p.event_id = o.event_id and p.id = l.promo_code_id
     where o.event_id = ${eventId} and o.state in ('paid', 'unfulfillable', 'needs-review')
       and (${after}::uuid is null or o.id > ${after}::uuid)
     order by o.id limit ${limit}`.execute(db);
  return rows;
}

interface RefundRow {
  id: string;
  orderId: string;
  ticketId: string | null;
  reason: string;
  state: string;
  cents: number;
  stripeRefundId: string | null;
  requestedAt: string;
  sentAt: string | null;
  failedAt: string | null;
}

export async function refundsToExport(db: Db, { eventId, timezone, after, limit }: Piece): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select id, order_id, ticket_id, reason, state, cents, stripe_refund_id, ${local('created_at', timezone)} as requested_at,
           ${local('sent_at', timezone)} as sent_at, ${local('failed_at', timezone)} as failed_at
      from refunds
     where event_id = ${eventId} and (${after}::uuid is null or id > ${after}::uuid)
     order by id limit ${limit}`.execute(db);
  return rows;
}

interface CheckInRow {
  id: string;
  orderId: string;
  type: string;
  checkedInAt: string;
  device: string | null;
}

export async function checkInsToExport(db: Db, { eventId, timezone, after, limit }: Piece): Promise<CheckInRow[]> {
  const { rows } = await sql<CheckInRow>`
    select t.id, t.order_id, t.ticket_name as type, ${local('t.scanned_at', timezone)} as checked_in_at, d.name as device
      from tickets t
      left join check_in_devices d on d.event_id = t.event_id and d.id = t.scanned_by
     where t.event_id = ${eventId} and t.state = 'scanned' and (${after}::uuid is null or t.id > ${after}::uuid)
     order by t.id limit ${limit}`.execute(db);
  return rows;
}

interface PromoCodeRow {
  id: string;
  code: string;
  kind: string;
  value: number;
  maxUses: number | null;
  madeAt: string;
  endedAt: string | null;
}

export async function promoCodesToExport(db: Db, { eventId, timezone, after, limit }: Piece): Promise<PromoCodeRow[]> {
  const { rows } = await sql<PromoCodeRow>`
    select id, code, kind, value, max_uses, ${local('created_at', timezone)} as made_at, ${local('ended_at', timezone)} as ended_at
      from promo_codes
     where event_id = ${eventId} and (${after}::uuid is null or id > ${after}::uuid)
     order by id limit ${limit}`.execute(db);
  return rows;
}

interface PayoutRow {
  id: string;
  state: string;
  cents: number;
  transferId: string | null;
  requestedAt: string;
  paidAt: string | null;
}

export async function payoutsToExport(db: Db, { eventId, timezone, after, limit }: Piece): Promise<PayoutRow[]> {
  const { rows } = await sql<PayoutRow>`
    select id, state, cents, transfer_id, ${local('requested_at', timezone)} as requested_at, ${local('paid_at', timezone)} as paid_at
      from payouts
     where event_id = ${eventId} and (${after}::uuid is null or id > ${after}::uuid)
     order by id limit ${limit}`.execute(db);
  return rows;
}
