import { type Insertable, sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { keyInUse, nextKey } from '#server/platform/idempotency-keys.sql.ts';
import type { Schema } from '#server/platform/schema.ts';

export interface RefundRef {
  eventId: string;
  refundId: string;
}

export type NewRefund = Insertable<Schema['refunds']>;

export async function insertRefunds(db: Db, refunds: readonly NewRefund[]): Promise<void> {
  await db
    .insertInto('refunds')
    .values([...refunds])
    .execute();
}

/**
 * Marks the refund as being sent. One update decides between sending and stopping it. Returns undefined if there is
 * nothing to send, or not yet.
 */
export async function startSending(db: Db, { eventId, refundId }: RefundRef) {
  const { rows } = await sql<{
    orderId: string;
    ticketId: string | null;
    reason: Schema['refunds']['reason'];
    cents: number;
    totalCents: number;
    attempt: number;
    paymentId: string | null;
    /** Stripe may have received the call before. */
    isTried: boolean;
  }>`
    update refunds r
       set sending_at = coalesce(r.sending_at, business_now()), attempted_at = business_now(),
           key_since = ${keyInUse('r')}
      from refunds was
      join orders o on o.event_id = was.event_id and o.id = was.order_id
     where was.event_id = r.event_id and was.id = r.id
       and r.event_id = ${eventId} and r.id = ${refundId}
       and r.state = 'claimed' and r.send_after <= business_now()
    returning r.order_id, r.ticket_id, r.reason, r.cents, r.attempt, o.payment_id,
              coalesce(o.received_cents, o.total_cents) as total_cents,
              was.sending_at is not null as is_tried`.execute(db);
  return rows[0];
}

/** After a final response the next call uses a new idempotency key; under the old one Stripe would repeat it. */
export async function startNextAttempt(db: Db, { eventId, refundId }: RefundRef, attempt: number): Promise<void> {
  await db
    .updateTable('refunds')
    .set(nextKey)
    .where('eventId', '=', eventId)
    .where('id', '=', refundId)
    .where('state', '=', 'claimed')
    .where('attempt', '=', attempt)
    .execute();
}

/** Only the first of concurrent responses finds the refund still claimed. */
export async function lockClaimedRefund(db: Db, { eventId, refundId }: RefundRef) {
  return db
    .selectFrom('refunds as r')
    .leftJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
    .where('r.eventId', '=', eventId)
    .where('r.id', '=', refundId)
    .where('r.state', '=', 'claimed')
    .select(['r.cents', 'r.reason', 'r.ticketId', 'r.actionId', 't.ticketTypeId'])
    .forUpdate('r')
    .executeTakeFirst();
}

/** What has become of the refunds that a member made together. The caller holds their order's lock. */
export async function refundsOfAction(db: Db, order: OrderRef, actionId: string) {
  return db
    .selectFrom('refunds')
    .where('eventId', '=', order.eventId)
    .where('orderId', '=', order.orderId)
    .where('actionId', '=', actionId)
    .select(['id', 'state'])
    .execute();
}

export async function lockRefundsOf(db: Db, { eventId, orderId }: { eventId: string; orderId: string }) {
  return db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['id', 'reason', 'state', 'cents', 'stripeRefundId', 'movedAt', 'settledAt'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function refundAndTicketState(db: Db, { eventId, refundId }: RefundRef) {
  return db
    .selectFrom('refunds as r')
    .leftJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
    .where('r.eventId', '=', eventId)
    .where('r.id', '=', refundId)
    .select(['r.state', 't.state as ticketState'])
    .executeTakeFirst();
}

type Change = Partial<
  Pick<
    NewRefund,
    'state' | 'stripeRefundId' | 'failureReason' | 'sentAt' | 'movedAt' | 'settledAt' | 'failedAt' | 'endedAt'
  >
>;

export async function updateRefund(db: Db, { eventId, refundId }: RefundRef, change: Change): Promise<void> {
  await db.updateTable('refunds').set(change).where('eventId', '=', eventId).where('id', '=', refundId).execute();
}

/**
 * Unsent refunds, except recent ones, which the request that made them is still sending. Least recently tried first, so
 * that failing refunds don't block the others.
 */
export async function refundsToSend(db: Db, limit: number): Promise<RefundRef[]> {
  return db
    .selectFrom('refunds')
    .where('state', '=', 'claimed')
    .where('sendAfter', '<=', sql<Date>`business_now()`)
    .where('createdAt', '<=', sql<Date>`business_now() - interval '1 minute'`)
    .select(['eventId', 'id as refundId'])
    .orderBy('attemptedAt', (order) => order.asc().nullsFirst())
    .orderBy('sendAfter')
    .limit(limit)
    .execute();
}

/** What the buyer paid minus all active refunds. */
export async function refundableCents(db: Db, { eventId, orderId }: { eventId: string; orderId: string }) {
  const { rows } = await sql<{ left: number }>`
    select coalesce(o.received_cents, o.total_cents)
           - coalesce((select sum(r.cents) from refunds r
                        where r.event_id = o.event_id and r.order_id = o.id
                          and r.state not in ('refused', 'restored')), 0)::int as left
      from orders o
     where o.event_id = ${eventId} and o.id = ${orderId}`.execute(db);
  return Math.max(0, rows[0]?.left ?? 0);
}

export async function findRefusedRefund(db: Db, { eventId, refundId }: RefundRef) {
  return db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('id', '=', refundId)
    .where('state', '=', 'refused')
    .select(['orderId', 'ticketId', 'reason', 'cents'])
    .executeTakeFirst();
}

export async function hasActiveRefundOfOrder(db: Db, { eventId, orderId }: { eventId: string; orderId: string }) {
  const refund = await db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('reason', '=', 'unfulfillable-order')
    .where('state', 'not in', ['refused', 'restored'])
    .select('id')
    .executeTakeFirst();
  return refund !== undefined;
}

/** Ids by which a refund at Stripe can be matched to the order, in any state. */
export async function knownRefundIds(db: Db, { eventId, orderId }: { eventId: string; orderId: string }) {
  const { rows } = await sql<{ refundIds: string[]; providerRefundIds: string[]; ticketIds: string[] }>`
    select array(select id::text from refunds where event_id = ${eventId} and order_id = ${orderId}) as refund_ids,
           array(select stripe_refund_id from refunds
                  where event_id = ${eventId} and order_id = ${orderId} and stripe_refund_id is not null)
             as provider_refund_ids,
           array(select id::text from tickets where event_id = ${eventId} and order_id = ${orderId}) as ticket_ids`.execute(
    db,
  );
  return rows[0] ?? { refundIds: [], providerRefundIds: [], ticketIds: [] };
}

export async function claimedRefundOfTicket(db: Db, eventId: string, ticketId: string) {
  return db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('ticketId', '=', ticketId)
    .where('state', '=', 'claimed')
    .select(['id', 'cents'])
    .executeTakeFirst();
}

export async function countOpenDisputes(db: Db, { eventId, orderId }: OrderRef): Promise<number> {
  const { open } = await db
    .selectFrom('disputes')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('state', '=', 'open')
    .select((column) => column.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow();
  return open;
}
