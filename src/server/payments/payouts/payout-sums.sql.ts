/** Inputs of a payout statement: sales, refunds and deductions of an event. */

import { type RawBuilder, sql } from 'kysely';
import type { RefundedPayments } from '#domain/payouts/refund-costs.ts';
import { SOLD_STATES } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';

/** Tickets that count, per price. Tickets with a refund in progress don't. */
export async function soldAtPrices(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('tickets')
    .where('eventId', 'in', eventIds)
    .where('state', 'in', SOLD_STATES)
    .groupBy(['eventId', 'priceCents', (column) => column('disputedAt', 'is not', null)])
    .select((column) => [
      'eventId',
      'priceCents',
      column('disputedAt', 'is not', null).$castTo<boolean>().as('isDisputed'),
      column.fn.countAll<number>().as('tickets'),
    ])
    .execute();
}

/** The same from the event's running totals, at a constant cost. */
export async function soldInTotals(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('ticketTotalsNow')
    .where('eventId', 'in', eventIds)
    .where('sold', '>', 0)
    .select(['eventId', 'priceCents', 'isDisputed', 'sold as tickets'])
    .execute();
}

/** Refunds, sent or in progress, for tickets that no longer count. */
export function refundedCents(db: Db, eventIds: readonly string[]) {
  return withRefunds(
    db,
    eventIds,
    sql`select event_id, price_cents from tickets where event_id in (${sql.join(eventIds)}) and state = 'void'`,
  );
}

/** The same, with void tickets read from the running totals. */
export function refundedInTotals(db: Db, eventIds: readonly string[]) {
  return withRefunds(
    db,
    eventIds,
    sql`select event_id, price_cents::bigint * voided from ticket_totals_now
         where event_id in (${sql.join(eventIds)}) and voided > 0`,
  );
}

/** What promo codes took off the prices of sold tickets. Reads only orders with a code. */
export async function discountsCents(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<{ eventId: string; cents: number }>`
    select c.event_id, sum(l.discount_cents)::bigint as cents
      from promo_codes c
      join order_lines l on l.event_id = c.event_id and l.promo_code_id = c.id
      join tickets t on t.event_id = l.event_id and t.order_id = l.order_id and t.order_line_id = l.id
     where c.event_id in (${sql.join(eventIds)}) and counts_as_sold(t.state)
     group by c.event_id`.execute(db);
  return rows;
}

async function withRefunds(db: Db, eventIds: readonly string[], voidTickets: RawBuilder<unknown>) {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<{ eventId: string; cents: number }>`
    select event_id, sum(cents)::bigint as cents
      from (select event_id, cents from refunds
             where event_id in (${sql.join(eventIds)}) and ticket_id is not null and state not in ('refused', 'restored')
            union all
            ${voidTickets}) gone
     group by event_id`.execute(db);
  return rows;
}

export interface Deduction {
  eventId: string;
  orderId: string;
  isDisputed: boolean;
  cents: number;
}

/** Amounts that buyers got back while keeping their tickets: by a partial dashboard refund, or a lost dispute over a part. */
export async function deductions(db: Db, eventIds: readonly string[]): Promise<Deduction[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<Deduction>`
    select o.event_id, o.order_id, sum(o.cents)::bigint as cents, max(t.is_disputed)::int = 1 as is_disputed
      from (select part.event_id, part.order_id, sum(l.cents) as cents
              from (select event_id, order_id, id from refunds
                     where event_id in (${sql.join(eventIds)}) and reason = 'external'
                    union all
                    select event_id, order_id, id from disputes where event_id in (${sql.join(eventIds)})) part
              join ledger_entries l on l.event_id = part.event_id and l.subject_id = part.id
               and l.account = 'organizer-payable' and l.kind in ('external-refund', 'dispute-lost')
             group by part.event_id, part.order_id) o
      join lateral (
        select max((disputed_at is not null)::int) as is_disputed from tickets
         where event_id = o.event_id and order_id = o.order_id and counts_as_sold(state)
        having count(*) > 0) t on true
     group by o.event_id, o.order_id`.execute(db);
  return rows;
}

/** Payments with refunded tickets, and Stripe's fee on them. Grouped, because most are alike. A fee that is not known yet is left out. */
export async function refundedPayments(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<RefundedPayments & { eventId: string }>`
    select r.event_id, fee.cents as fee_cents, r.cents as refunded_cents,
           coalesce(o.received_cents, o.total_cents) as charged_cents, count(*)::int as payments
      from (select event_id, order_id, sum(cents)::bigint as cents from refunds
             where event_id in (${sql.join(eventIds)}) and ticket_id is not null and state not in ('refused', 'restored')
             group by event_id, order_id) r
      join orders o on o.event_id = r.event_id and o.id = r.order_id
      join ledger_entries fee on fee.event_id = r.event_id and fee.subject_id = r.order_id
       and fee.kind = 'card-fee' and fee.account = 'card-fees'
     group by r.event_id, fee.cents, r.cents, charged_cents`.execute(db);
  return rows;
}

/** Stripe's fees on the event's sold orders: what its organizer owes at most if everyone is refunded. */
export async function cardFeesOfSales(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<{ eventId: string; cents: number }>`
    select l.event_id, sum(l.cents)::bigint as cents
      from ledger_entries l
      join orders o on o.event_id = l.event_id and o.id = l.subject_id and o.state = 'paid'
     where l.event_id in (${sql.join(eventIds)}) and l.kind = 'card-fee' and l.account = 'card-fees'
     group by l.event_id`.execute(db);
  return rows;
}

export async function pricesOfOrders(db: Db, eventId: string, orderIds: readonly string[]): Promise<number[]> {
  if (orderIds.length === 0) return [];
  const tickets = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('orderId', 'in', orderIds)
    .where('state', 'in', SOLD_STATES)
    .select('priceCents')
    .execute();
  return tickets.map(({ priceCents }) => priceCents);
}
