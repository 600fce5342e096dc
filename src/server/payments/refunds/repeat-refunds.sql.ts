import { type RawBuilder, sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import { REFUNDED_ORDERS_DAYS } from '#domain/settlement.ts';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';

/** Serializes refund requests of one address and of one card. Always in the same order, so that two of them can't deadlock. */
export async function lockRefunders(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${lockNamespaces.refunder}::int, key)
      from (select distinct hashtext(subject) as key
              from orders o cross join lateral (values (lower(o.buyer_email)), (encode(o.card_hash, 'hex'))) as s (subject)
             where o.event_id = ${eventId} and o.id = ${orderId} and subject is not null
             order by key) as keys`.execute(db);
}

interface Refunder {
  /** Other orders of the address or card that had a refund lately. */
  otherOrders: number;
  /** This order had one, too. */
  isCounted: boolean;
  /** The date or venue of its event changed after the purchase. */
  isMoved: boolean;
}

export async function readRefunder(db: Db, { eventId, orderId }: OrderRef): Promise<Refunder> {
  const { rows } = await sql<Refunder>`
    select count(distinct (r.event_id, r.order_id)) filter (where r.order_id <> own.id)::int as other_orders,
           coalesce(bool_or(r.order_id = own.id), false) as is_counted,
           ${wasMoved(sql`own`)} as is_moved
      from orders own
      left join orders o on lower(o.buyer_email) = lower(own.buyer_email) or o.card_hash = own.card_hash
      left join refunds r on r.event_id = o.event_id and r.order_id = o.id
       and r.reason = 'requested' and r.cents > 0 and r.state not in ('refused', 'restored')
       and r.created_at > business_now() - make_interval(days => ${REFUNDED_ORDERS_DAYS}::integer)
       and not ${wasMoved(sql`o`)}
       and not exists (select from events e where e.id = o.event_id and e.cancelled_at is not null)
     where own.event_id = ${eventId} and own.id = ${orderId}
     group by own.event_id, own.id`.execute(db);
  const [refunder] = rows;
  if (!refunder) throw new Error(`order ${orderId} not found`);
  return refunder;
}

const wasMoved = (order: RawBuilder<unknown>) => sql<boolean>`exists (
  select from event_changes c where c.event_id = ${order}.event_id and c.changed_at > ${order}.created_at)`;
