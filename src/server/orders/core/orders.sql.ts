import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { IncludedTax } from '#domain/taxes/included-tax.ts';
import type { Db } from '#server/platform/database.ts';
import { isUuid } from '#server/platform/ids.ts';
import type { NumberedTicket } from '#server/platform/schema/orders.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Share-locks the event, so that it can't be edited or cancelled until the transaction ends. */
export async function lockEventOnSale(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['id', 'title', 'endsAt', 'cancelledAt', 'payoutRequestedAt', 'allowsRepeatedFreeOrders'])
    .select(sql<Date>`business_now()`.as('now'))
    .forShare()
    .executeTakeFirst();
}

export async function lockOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select([
      'createdAt',
      'reservationExpiresAt',
      'formVersion',
      'detailsAt',
      'compBatchId',
      'paidAt',
      'linkVersion',
      'rebuiltAt',
    ])
    .select(['id', 'state', 'totalCents', 'sessionId', 'paymentId', 'buyerEmail', 'receivedCents', 'reviewReason'])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** In cart order. */
export async function findOrderLines(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orderLines')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['ticketTypeId', 'ticketName', 'listPriceCents', 'unitPriceCents', 'quantity', 'promoCodeId'])
    .orderBy('position')
    .orderBy('promoCodeId')
    .execute();
}

/** Once the reservation ends, its network is forgotten. */
export async function setOrderState(
  db: Db,
  { eventId, orderId }: OrderRef,
  change: Partial<
    Omit<
      Schema['orders'],
      | 'eventId'
      | 'id'
      | 'cartId'
      | 'totalCents'
      | 'createdAt'
      | 'networkHash'
      | 'cardHash'
      | 'linkId'
      | 'compBatchId'
      | 'buyerName'
      | 'linkVersion'
      | 'rebuiltAt'
    >
  >,
): Promise<void> {
  const isOver = change.state !== undefined && change.state !== 'reserved';
  const columns = isOver ? { ...change, networkHash: null } : change;
  await db.updateTable('orders').set(columns).where('eventId', '=', eventId).where('id', '=', orderId).execute();
}

export async function findSessionId(db: Db, { eventId, orderId }: OrderRef): Promise<string | null> {
  const order = await db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select('sessionId')
    .executeTakeFirst();
  return order?.sessionId ?? null;
}

export async function findOrderBySession(db: Db, sessionId: string) {
  return ordersAtEvents(db).where('o.sessionId', '=', sessionId).executeTakeFirst();
}

export async function findOrderOfPage(db: Db, { eventId, orderId }: OrderRef) {
  return ordersAtEvents(db).where('o.eventId', '=', eventId).where('o.id', '=', orderId).executeTakeFirst();
}

function ordersAtEvents(db: Db) {
  return db
    .selectFrom('orders as o')
    .innerJoin('events as e', 'e.id', 'o.eventId')
    .select([
      'o.eventId',
      'o.id as orderId',
      'o.state',
      'o.reservationExpiresAt',
      'o.buyerEmail',
      'o.buyerName',
      'o.totalCents',
      'o.paidAt',
      'o.formVersion',
      'o.compBatchId',
      'o.linkVersion',
    ])
    .select(['e.title', 'e.street', 'e.city', 'e.state as region', 'e.postalCode', 'e.venueName', 'e.timezone'])
    .select(['e.startsAt', 'e.endsAt', 'e.latestEndsAt', 'e.checkInOpensAt', 'e.cancelledAt', 'e.allowsTicketTransfer'])
    .select(
      sql<boolean>`exists (select from event_page_versions v
        where v.event_id = o.event_id and v.is_listed and v.version > o.page_version)`.as('hasPageChanged'),
    );
}

/** Null once the organization is deleted, or before it is named. */
export async function findSeller(db: Db, { eventId }: OrderRef): Promise<string | null> {
  const event = await db
    .selectFrom('events as e')
    .innerJoin('organizations as o', 'o.id', 'e.organizationId')
    .where('e.id', '=', eventId)
    .select('o.name')
    .executeTakeFirst();
  return event?.name ?? null;
}

/** All tickets that the order ever had, in its order. */
export async function findOrderTickets(db: Db, { eventId, orderId }: OrderRef) {
  const numbered = sql<NumberedTicket>`tickets_of_order(${eventId}, ${orderId})`.as('numbered');
  return db
    .selectFrom(numbered)
    .innerJoin('tickets as t', 't.id', 'numbered.ticketId')
    .innerJoin('ticketTypes as y', (join) =>
      join.onRef('y.eventId', '=', 't.eventId').onRef('y.id', '=', 't.ticketTypeId'),
    )
    .where('t.eventId', '=', eventId)
    .select(['t.ticketName', 't.confirmationNumber', 'numbered.position', 'numbered.orderSize as of', 'y.isAddOn'])
    .select(['t.id', 't.state', 't.scannedAt', 't.disputedAt', 't.priceCents', 't.transferredCount'])
    .orderBy('numbered.position')
    .execute();
}

/** What was paid for, in cart order. */
export async function findReceiptLines(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orderLines as l')
    .leftJoin('promoCodes as c', (join) =>
      join.onRef('c.eventId', '=', 'l.eventId').onRef('c.id', '=', 'l.promoCodeId'),
    )
    .where('l.eventId', '=', eventId)
    .where('l.orderId', '=', orderId)
    .select(['l.ticketName', 'l.quantity', 'l.unitPriceCents', 'c.code as promoCode'])
    .orderBy('l.position')
    .orderBy('l.promoCodeId')
    .execute();
}

/** That its prices include; undefined for none. */
export async function taxOfOrder(db: Db, { eventId, orderId }: OrderRef): Promise<IncludedTax | undefined> {
  const tax = await db
    .selectFrom('orders as o')
    .innerJoin('eventTaxes as x', (join) =>
      join.onRef('x.eventId', '=', 'o.eventId').onRef('x.since', '<=', 'o.createdAt'),
    )
    .where('o.eventId', '=', eventId)
    .where('o.id', '=', orderId)
    .select(['x.rate', 'x.label'])
    .orderBy('x.since', 'desc')
    .limit(1)
    .executeTakeFirst();
  return tax?.rate === 0 ? undefined : tax;
}

/** When and where the event was as its buyers knew it then; nothing if it hasn't changed since. */
export async function eventAsOf(db: Db, { eventId }: OrderRef, at: Date) {
  return db
    .selectFrom('eventChanges')
    .where('eventId', '=', eventId)
    .where('changedAt', '>', at)
    .orderBy('changedAt')
    .select(['startsAt', 'street', 'city', 'state', 'postalCode', 'venueName'])
    .executeTakeFirst();
}

/**
 * Claims expired orders that have a payment page. Least recently tried first, so that orders that keep failing don't
 * block the others.
 */
export async function claimExpiredOrders(db: Db, limit: number): Promise<OrderRef[]> {
  const { rows } = await sql<OrderRef>`
    update orders o
       set end_attempted_at = business_now()
      from (select event_id, id from orders
             where state = 'reserved' and session_id is not null and reservation_expires_at <= business_now()
             order by end_attempted_at nulls first, reservation_expires_at
             limit ${limit}
               for no key update skip locked) lapsed
     where o.event_id = lapsed.event_id and o.id = lapsed.id
    returning o.event_id, o.id as order_id`.execute(db);
  return rows;
}

/** An order with its payment, and whether Stripe's fee is recorded. */
function selectOrders(db: Db) {
  return db
    .selectFrom('orders as o')
    .select(['o.eventId', 'o.id as orderId', 'o.state', 'o.paymentId'])
    .select(
      sql<boolean>`o.total_cents = 0 or exists (
        select from ledger_entries l where l.event_id = o.event_id and l.subject_id = o.id and l.kind = 'card-fee')`.as(
        'hasFee',
      ),
    );
}

export function findOrderById(db: Db, { eventId, orderId }: OrderRef) {
  return selectOrders(db).where('o.eventId', '=', eventId).where('o.id', '=', orderId).executeTakeFirst();
}

export type KnownOrder = NonNullable<Awaited<ReturnType<typeof findOrderById>>>;

interface OrderHint {
  paymentId: string | null;
  /** From Stripe metadata, which anyone with access to the Stripe account can edit. */
  order: OrderRef | null;
}

/** Finds the order of a Stripe payment, by its metadata or its payment ID. */
export async function findOrder(db: Db, { paymentId, order }: OrderHint): Promise<KnownOrder | null> {
  const named = order && isUuid(order.orderId) ? await findOrderById(db, order) : undefined;
  if (named || paymentId === null) return named ?? null;
  return (await selectOrders(db).where('o.paymentId', '=', paymentId).executeTakeFirst()) ?? null;
}

/** The event's unpaid orders with a reservation, with or without a payment page. */
export async function reservedOrders(db: Db, eventId: string): Promise<OrderRef[]> {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('state', '=', 'reserved')
    .select(['eventId', 'id as orderId'])
    .execute();
}

/** Sum of the order's refunds, completed and in progress. */
export async function refundedOrSentCents(db: Db, { eventId, orderId }: OrderRef): Promise<number> {
  const { cents } = await db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('state', 'in', ['claimed', 'sent'])
    .select(sql<number>`coalesce(sum(cents), 0)::int`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}
