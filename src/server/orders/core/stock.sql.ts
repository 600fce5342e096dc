/** Stock: reserving tickets, for many carts at once, and releasing them. The SQL functions document their contracts. */
import { sql } from 'kysely';
import type { EventToSell, OrderRef, PricedLine, TypeToSell } from '#domain/order.ts';
import type { UnsoldTickets } from '#domain/reservation-times.ts';
import type { GuestForm } from '#domain/sales/guest-form.ts';
import type { Db } from '#server/platform/database.ts';
import { advisoryLocks, lockNamespaces } from '#server/platform/locks.ts';

export interface CartOrder extends OrderRef {
  cartId: string | null;
  totalCents: number;
  /** In cart order. Lines of one ticket type are next to each other. */
  lines: readonly PricedLine[];
  /** The version of the code that they were priced with. */
  promoVersion?: number | undefined;
  /** Of the event and the client's network; null if the network's unpaid tickets aren't limited. */
  networkHash: number | null;
  /** Of the event's page, if the buyer's page says which they agreed to. */
  pageVersion?: number | undefined;
  /** The tracking link that brought the buyer. */
  linkId?: string | undefined;
  /** What the event was seen to ask, if anything, and whether it asks the buyer of these tickets. */
  form?: { version: number; isAsked: boolean } | undefined;
}

export type ReservationResult =
  /** `queuePosition` is `null` when the payment page may open immediately, and for an order that is free or asks its buyer something. */
  | { is: 'reserved'; until: Date; queuePosition: number | null }
  | { is: 'sold-out'; line: PricedLine; left: number }
  /** Fewer uses of the order's promo code are left than it has discounted tickets. */
  | { is: 'promo-short'; left: number }
  /** The event differs from what the buyer was shown. Read it again to learn how. */
  | { is: 'changed' }
  /** The cart already has a reservation: in `orderId`, or in another order of the same batch if `null`. */
  | { is: 'already-reserved'; orderId: string | null }
  /** Too many unpaid tickets of the cart's network. The first of its reservations expires at `retryAt`. */
  | { is: 'network-limit'; retryAt: Date };

interface DenialRow {
  index: number;
  outcome: 'sold-out' | 'promo-short' | 'changed' | 'already-reserved' | 'network-limit' | null;
  shortType: number | null;
  freeTickets: number | null;
  reservedOrder: string | null;
  reservedUntil: Date | null;
  queuePositions: string | null;
}

export interface ReservationTerms {
  reservationMinutes: number;
  lockTimeoutMs: number;
  /** Rate of the checkout queue; `null` opens payment pages immediately. */
  pagesPerSecond: number | null;
  /** Unpaid tickets per network; larger orders pass alone. */
  unpaidMax: number | null;
}

/** Reserves in one statement and one commit, first come, first served. Results are in the order of the carts. See docs/decisions/0020. */
export async function reserveCarts(
  db: Db,
  carts: readonly CartOrder[],
  { reservationMinutes, lockTimeoutMs, pagesPerSecond, unpaidMax }: ReservationTerms,
): Promise<ReservationResult[]> {
  const { events, types, orders, lines, networks, promos } = indexCarts(carts);
  const asked = carts.filter(isAsked);
  const { rows } = await sql<DenialRow>`/* prepared reserve_carts */
    select * from reserve_carts(${textArrayLiteral(events.map((one) => one.id))}::text[],
      ${arrayLiteral(events.map((one) => one.formVersion ?? 'null'))}::integer[],
      ${arrayLiteral(events.map((one) => one.pageVersion ?? 'null'))}::integer[],
      ${arrayLiteral(types.map((one) => one.event))}::integer[], ${arrayLiteral(types.map((one) => one.ticketTypeId))}::uuid[],
      ${textArrayLiteral(types.map((one) => one.ticketName))}::text[], ${arrayLiteral(types.map((one) => one.listPriceCents))}::integer[],
      ${arrayLiteral(orders.map((one) => one.event))}::integer[], ${arrayLiteral(orders.map((one) => one.orderId))}::uuid[],
      ${arrayLiteral(orders.map((one) => one.cartId ?? 'null'))}::uuid[], ${arrayLiteral(orders.map((one) => one.totalCents))}::integer[],
      ${arrayLiteral(lines.map((one) => one.order))}::integer[], ${arrayLiteral(lines.map((one) => one.position))}::integer[],
      ${arrayLiteral(lines.map((one) => one.type))}::integer[],
      ${arrayLiteral(lines.map((one) => one.quantity))}::integer[],
      ${arrayLiteral(promos.map((one) => one.event))}::integer[], ${arrayLiteral(promos.map((one) => one.id))}::uuid[],
      ${arrayLiteral(promos.map((one) => one.version))}::integer[],
      ${ifAny(promos, () => orders.map((one) => one.promo ?? 'null'))}::integer[],
      ${ifAny(promos, () => lines.map((one) => one.discounted))}::integer[],
      ${ifAny(promos, () => lines.map((one) => one.priceCents))}::integer[],
      ${ifAny(asked, () => carts.map((cart) => (isAsked(cart) ? (cart.form?.version ?? 'null') : 'null')))}::integer[], ${arrayLiteral(networks)}::bigint[],
      ${arrayLiteral(orders.map((one) => one.network ?? 'null'))}::integer[], ${unpaidMax}, ${reservationMinutes}, ${lockNamespaces.sales},
      ${lockTimeoutMs}, ${pagesPerSecond})`.execute(db);

  const denials = new Map(rows.map((row) => [row.index, row]));
  const header = denials.get(0);
  const until = header?.reservedUntil;
  if (!until) throw new Error('reserve_carts returned no expiry');

  const queuePositions = header.queuePositions?.split(',').map(Number) ?? [];
  const opensPage = (cart: CartOrder) => cart.totalCents > 0 && !isAsked(cart);
  const toPay = carts.filter((cart, index) => opensPage(cart) && !denials.has(index + 1));
  let immediate = toPay.length - queuePositions.length;
  return carts.map((cart, index) => {
    const denial = denials.get(index + 1);
    if (denial) return denialResult(denial, types, cart);
    const mayOpen = !opensPage(cart) || immediate-- > 0;
    return { is: 'reserved', until, queuePosition: mayOpen ? null : (queuePositions.shift() ?? null) };
  });
}

const isAsked = ({ form }: CartOrder): boolean => form?.isAsked ?? false;

type ShownType = PricedLine & { event: number };

/** All tickets of a type in one order, some of them with its promo code. */
interface TypeLine {
  order: number;
  position: number;
  type: number;
  quantity: number;
  discounted: number;
  /** Of those with the code. */
  priceCents: number;
}

function denialResult(row: DenialRow, types: readonly ShownType[], { lines }: CartOrder): ReservationResult {
  if (row.outcome === 'already-reserved') return { is: 'already-reserved', orderId: row.reservedOrder };
  if (row.outcome === 'network-limit' && row.reservedUntil) return { is: 'network-limit', retryAt: row.reservedUntil };
  if (row.outcome === 'promo-short') return { is: 'promo-short', left: row.freeTickets ?? 0 };
  const shown = types[(row.shortType ?? 0) - 1];
  if (!shown) return { is: 'changed' };
  const ofType = lines.filter(({ ticketTypeId }) => ticketTypeId === shown.ticketTypeId);
  const quantity = ofType.reduce((sum, line) => sum + line.quantity, 0);
  return { is: 'sold-out', line: { ...shown, quantity }, left: row.freeTickets ?? 0 };
}

/** Lists each event as it was seen, ticket type and promo code once, because a busy sale is hundreds of carts of the same few. Indexes start at 1. */
function indexCarts(carts: readonly CartOrder[]) {
  const eventIndexes = new Map<string, number>();
  const events: { id: string; formVersion: number | undefined; pageVersion: number | undefined }[] = [];
  const typeIndexes = new Map<string, number>();
  const types: ShownType[] = [];
  const networks = new Map<number, number>();
  const promoIndexes = new Map<string, number>();
  const promos: { event: number; id: string; version: number }[] = [];
  const orders: {
    event: number;
    orderId: string;
    cartId: string | null;
    totalCents: number;
    network: number | null;
    promo: number | null;
  }[] = [];
  const lines: TypeLine[] = [];

  for (const cart of carts) {
    const formVersion = cart.form?.version;
    const { pageVersion } = cart;
    const event = indexIn(eventIndexes, `${cart.eventId} ${formVersion} ${pageVersion}`);
    if (event > events.length) events.push({ id: cart.eventId, formVersion, pageVersion });
    const network = cart.networkHash === null ? null : indexIn(networks, cart.networkHash);
    const { orderId, cartId, totalCents } = cart;
    const id = cart.lines.find(({ promoCodeId }) => promoCodeId !== null)?.promoCodeId ?? null;
    const version = cart.promoVersion ?? 0;
    const promo = id === null ? null : indexIn(promoIndexes, `${event} ${id} ${version}`);
    if (id !== null && promo !== null && promo > promos.length) promos.push({ event, id, version });
    const order = orders.push({ event, orderId, cartId, totalCents, network, promo });
    let last: TypeLine | undefined;
    for (const line of cart.lines) {
      const type = indexIn(typeIndexes, `${event} ${line.ticketTypeId} ${line.listPriceCents} ${line.ticketName}`);
      if (type > types.length) types.push({ ...line, event });
      if (last?.type !== type) {
        last = { order, position: (last?.position ?? 0) + 1, type, quantity: 0, discounted: 0, priceCents: 0 };
        lines.push(last);
      }
      last.quantity += line.quantity;
      if (line.promoCodeId !== null) {
        last.discounted += line.quantity;
        last.priceCents = line.unitPriceCents;
      }
    }
  }
  return { events, types, orders, lines, networks: [...networks.keys()], promos };
}

function indexIn<Key>(indexes: Map<Key, number>, key: Key): number {
  const index = indexes.get(key) ?? indexes.size + 1;
  indexes.set(key, index);
  return index;
}

/** Most batches have no promo code, and then nothing is sent for it. */
const ifAny = (some: readonly unknown[], values: () => readonly (string | number)[]) =>
  arrayLiteral(some.length > 0 ? values() : []);

// Array literals, which are faster than the driver's arrays. IDs and numbers need no escaping.
const arrayLiteral = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
const textArrayLiteral = (values: readonly string[]) =>
  arrayLiteral(values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`));

/** The events with their ticket types, as of now: all columns that are short, so that a rule of `EventToSell` finds what it needs. */
export async function eventsOnSale(db: Db, eventIds: readonly string[]): Promise<EventOnSale[]> {
  const { rows } = await sql<Omit<EventOnSale, 'types'> & { types: Written<TypeOnSale>[] }>`
    select e.id, e.title, e.page_version, e.timezone, e.ends_at, e.cancelled_at, e.paused_sales, e.max_per_order, business_now() as now,
           (select jsonb_build_object('version', f.version, 'asksNames', f.asks_names, 'questions', f.questions)
              from guest_forms f where f.event_id = e.id and f.version = e.form_version) as form,
           coalesce((select json_agg(l) from (select slug, id from tracking_links
                                               where event_id = e.id and removed_at is null) l), '[]') as links,
           coalesce((select json_agg(to_jsonb(t) - 'description' || jsonb_build_object(
                                      'available_to_buy', available_of(t.event_id, t.id, t.available, t.shares_capacity)))
                       from ticket_types t where t.event_id = e.id and t.removed_at is null), '[]') as types
      from events e
     where e.id = any (${eventIds}) and e.is_published`.execute(db);
  return rows.map((event) => ({
    ...event,
    types: event.types.map((type) => ({
      ...type,
      salesFrom: dateOf(type.salesFrom),
      salesUntil: dateOf(type.salesUntil),
      openedAt: dateOf(type.openedAt),
    })),
  }));
}

export interface TypeOnSale extends TypeToSell {
  availableToBuy: number;
}

type Times = 'salesFrom' | 'salesUntil' | 'openedAt';

/** Times within JSON are texts. */
type Written<Type> = Omit<Type, Times> & Record<Times, string | null>;

const dateOf = (written: string | null): Date | null => (written === null ? null : new Date(written));

export interface EventOnSale extends EventToSell {
  id: string;
  title: string;
  /** Of its page. */
  pageVersion: number;
  types: readonly TypeOnSale[];
  /** What buyers are asked; null: nothing. */
  form: (GuestForm & { version: number }) | null;
  links: readonly { slug: string; id: string }[];
}

/** The order that a cart has reserved. */
export async function reservedOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders as o')
    .innerJoin('events as e', 'e.id', 'o.eventId')
    .where('o.eventId', '=', eventId)
    .where('o.id', '=', orderId)
    .select([
      'o.state',
      'o.reservationExpiresAt',
      'o.sessionId',
      'o.sessionUrl',
      'o.totalCents',
      'e.title as eventTitle',
    ])
    .select(['o.formVersion', 'o.detailsAt', 'o.pageVersion'])
    .select(sql<boolean>`o.state = 'reserved' and o.reservation_expires_at > business_now()`.as('isStanding'))
    .executeTakeFirst();
}

/** Its buyer has agreed to a later version of the page. */
export async function restatePageVersion(db: Db, { eventId, orderId }: OrderRef, pageVersion: number): Promise<void> {
  await db
    .updateTable('orders')
    .set({ pageVersion })
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .where('state', '=', 'reserved')
    .execute();
}

/**
 * Without add-ons. A ticket whose refund is under way counts as unpaid: its stock is still reserved. Types that share a capacity count once,
 * by it and in its units.
 */
export async function countUnsoldTickets(db: Db, eventId: string): Promise<UnsoldTickets> {
  const { rows } = await sql<UnsoldTickets>`
    select (stock.quantity - sales.sold)::int as unsold, (stock.reserved - sales.sold)::int as unpaid
      from (select coalesce(sum(quantity), 0) as quantity, coalesce(sum(reserved), 0) as reserved
              from (select quantity, reserved from ticket_types
                     where event_id = ${eventId} and removed_at is null and not shares_capacity and not is_add_on
                     union all
                    select least(c.capacity, sum(t.quantity * m.units)), c.reserved
                      from shared_capacities c
                      join shared_capacity_members m on m.event_id = c.event_id and m.shared_capacity_id = c.id
                      join ticket_types t on t.event_id = m.event_id and t.id = m.ticket_type_id
                     where c.event_id = ${eventId}
                     group by c.event_id, c.id) as parts) as stock,
           (select coalesce(sum(n.sold * coalesce(m.units, 1)), 0) as sold
              from ticket_totals_now n
              join ticket_types t on t.event_id = n.event_id and t.id = n.ticket_type_id and t.removed_at is null
               and (not t.is_add_on or t.shares_capacity)
              left join shared_capacity_members m on m.event_id = t.event_id and m.ticket_type_id = t.id
             where n.event_id = ${eventId}) as sales`.execute(db);
  return rows[0] ?? { unsold: 0, unpaid: 0 };
}

interface Page {
  sessionId: string;
  url: string | null;
  endsAt: Date;
}

/** Ties the reservation to the payment page and leaves the queue. False if the reservation is gone or has another page. */
export async function recordPage(
  db: Db,
  { eventId, orderId }: OrderRef,
  { sessionId, url, endsAt }: Page,
): Promise<boolean> {
  const { rows } = await sql`
    with recorded as (
      update orders
         set session_id = ${sessionId}, session_url = ${url}, reservation_expires_at = ${endsAt}
       where event_id = ${eventId} and id = ${orderId} and state = 'reserved' and session_id is null
      returning event_id, id),
    gone as (
      delete from checkout_queue l using recorded where l.event_id = recorded.event_id and l.order_id = recorded.id)
    select from recorded`.execute(db);
  return rows.length === 1;
}

export interface CartRef {
  eventId: string;
  cartId: string;
}

/** The IDs of the carts that have reserved tickets. */
export async function findCartsWithReservation(db: Db, carts: readonly CartRef[]): Promise<Set<string>> {
  const { rows } = await sql<{ cartId: string }>`
    select cart.id as cart_id
      from unnest(${textArrayLiteral(carts.map((cart) => cart.eventId))}::text[],
                  ${arrayLiteral(carts.map((cart) => cart.cartId))}::uuid[]) as cart (event_id, id)
     where exists (select from orders o where o.event_id = cart.event_id and o.cart_id = cart.id
                      and case when o.state = 'reserved' then o.cart_id is not null end)`.execute(db);
  return new Set(rows.map((row) => row.cartId));
}

export async function reservedOrderOf(db: Db, { eventId, cartId }: CartRef): Promise<string | null> {
  const order = await db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('cartId', '=', cartId)
    .where('state', '=', 'reserved')
    .select('id')
    .executeTakeFirst();
  return order?.id ?? null;
}

/** Locks the order's ticket types, the capacities that they share, and its promo code, in this order. Lock order everywhere: stock before order. */
export async function lockStock(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  const lines = db.selectFrom('orderLines').where('eventId', '=', eventId).where('orderId', '=', orderId);
  const typeIds = lines.select('ticketTypeId');
  const types = db.selectFrom('ticketTypes').where('eventId', '=', eventId).where('id', 'in', typeIds);
  await types.select('id').orderBy('id').forNoKeyUpdate().execute();
  const members = db.selectFrom('sharedCapacityMembers').where('eventId', '=', eventId);
  const shared = members.where('ticketTypeId', 'in', typeIds).select('sharedCapacityId');
  const capacities = db.selectFrom('sharedCapacities').where('eventId', '=', eventId).where('id', 'in', shared);
  await capacities.select('id').orderBy('id').forNoKeyUpdate().execute();
  const promos = db
    .selectFrom('promoCodes')
    .where('eventId', '=', eventId)
    .where('id', 'in', lines.select('promoCodeId'));
  await promos.select('id').forNoKeyUpdate().execute();
}

/** Reserves all tickets of orders of one event that have none reserved, or none of them. The caller holds the orders' locks. */
export async function reserveOrders(tx: Db, eventId: string, orderIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ isReserved: boolean }>`
    select reserve_orders(${eventId}, ${orderIds}::uuid[]) as is_reserved`.execute(tx);
  return rows[0]?.isReserved ?? false;
}

/** Releases the order's tickets, and its position in the checkout queue. The caller holds the order's lock. */
export async function releaseOrder(tx: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await sql`select release_lines(array[${eventId}], array[${orderId}]::uuid[])`.execute(tx);
}

export interface Released {
  released: number;
  /** The latest expiry among them. */
  reached: Date | null;
}

/** `null` when another server is already releasing and `waits` is false. */
export async function releaseExpiredOrders(
  db: Db,
  {
    atMost,
    since = null,
    eventId = null,
    waits = false,
  }: { atMost: number; since?: Date | null; eventId?: string | null; waits?: boolean },
): Promise<Released | null> {
  const { rows } = await sql<Released>`
    select * from release_expired(
      ${advisoryLocks.releaseExpired}, ${atMost}, coalesce(${since}::timestamptz, '-infinity'), ${eventId}::text, ${waits})`.execute(
    db,
  );
  return rows[0] ?? null;
}
