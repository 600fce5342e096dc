/** The list of an event's orders; see `order_list_page` in backoffice.functions.sql. */
import { sql } from 'kysely';
import type { OrderFilters } from '#contract/app/sales/orders.ts';
import type { PageEnds } from '#contract/app/sales/page-ends.ts';
import type { OrderRef } from '#domain/order.ts';
import type { ListedOrderState } from '#domain/sales/order-list.ts';
import type { Db } from '#server/platform/database.ts';

export interface ListedOrders extends OrderFilters {
  eventId: string;
}

export interface ListedOrderRow {
  orderId: string;
  state: ListedOrderState;
  name: string | null;
  buyerEmail: string | null;
  tickets: number;
  totalCents: number;
  createdAt: Date;
  paidAt: Date | null;
  reservationExpiresAt: Date;
  formVersion: number | null;
  detailsAt: Date | null;
  compBatchId: string | null;
  now: Date;
}

interface Page {
  after: string | null;
  until: string | null;
  limit: number;
}

const COLUMNS = sql`l.order_id, l.state, o.buyer_email, o.total_cents, o.created_at, o.paid_at, o.reservation_expires_at, o.form_version, o.details_at,
  o.comp_batch_id, business_now() as now,
  coalesce(o.buyer_name, (select g.name from order_guests g
                           where g.event_id = o.event_id and g.order_id = o.id and g.position > 0 and g.name is not null
                           order by g.position limit 1)) as name,
  (select sum(i.quantity)::int from order_lines i where i.event_id = o.event_id and i.order_id = o.id) as tickets`;

export async function ordersNewestFirst(db: Db, list: ListedOrders, page: Page): Promise<ListedOrderRow[]> {
  const { rows } = await sql<ListedOrderRow>`
    select ${COLUMNS}
      from order_list_page(${list.eventId}, ${searchOf(list)}, ${list.state ?? null}, ${page.after}, ${page.until}, ${page.limit}) as l
      join orders o on o.event_id = ${list.eventId} and o.id = l.order_id
     order by l.order_id desc`.execute(db);
  return rows;
}

export async function listedOrder(db: Db, { eventId, orderId }: OrderRef): Promise<ListedOrderRow | undefined> {
  const { rows } = await sql<ListedOrderRow>`
    select ${COLUMNS}
      from listed_orders(${eventId}, null, null, null, null) as l
      join orders o on o.event_id = ${eventId} and o.id = l.order_id
     where l.order_id = ${orderId}`.execute(db);
  return rows[0];
}

/** Where the full pages after this order end, and how many orders follow. */
export async function orderPageEnds(db: Db, list: ListedOrders, after: string, rowsPerPage: number): Promise<PageEnds> {
  const { rows } = await sql<PageEnds>`
    select coalesce(array_agg(p.order_id::text order by p.number) filter (where p.number % ${rowsPerPage} = 0), '{}') as ends,
           count(*)::int as rows
      from order_list_page(${list.eventId}, ${searchOf(list)}, ${list.state ?? null}, ${after}, null, null)
           with ordinality as p(order_id, state, number)`.execute(db);
  return rows[0] ?? { ends: [], rows: 0 };
}

export async function orderListCounts(
  db: Db,
  list: ListedOrders,
): Promise<{ state: ListedOrderState; orders: number }[]> {
  const { rows } = await sql<{ state: ListedOrderState; orders: number }>`
    select state, orders::int from order_list_counts(${list.eventId}, ${searchOf(list)})`.execute(db);
  return rows;
}

/** Orders with a payment, or free: all but those in checkout. */
export async function countOrders(db: Db, eventId: string): Promise<number> {
  const { orders } = await db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('state', 'in', ['paid', 'unfulfillable', 'needs-review'])
    .select((column) => column.fn.countAll<number>().as('orders'))
    .executeTakeFirstOrThrow();
  return orders;
}

/** Numbers may be typed in groups. */
const TYPED_NUMBER = /^\d{2,10}$/;
const TYPED_ID = /^[\da-f]{6,32}$/;

function searchOf({ q }: ListedOrders) {
  const typed = q?.replace(/[\s-]/g, '').toLowerCase() ?? '';
  return sql`lower(${q || null}), ${TYPED_NUMBER.test(typed) ? typed : null}, ${TYPED_ID.test(typed) ? typed : null}`;
}
