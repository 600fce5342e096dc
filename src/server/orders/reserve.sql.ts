/** Reserving for many carts at once: the numbers are in docs/decisions/0020. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

export interface CartLine {
  ticketTypeId: string;
  /** Name and price as the buyer was shown them. */
  ticketName: string;
  unitPriceCents: number;
  quantity: number;
}

export interface CartOrder extends OrderRef {
  cartId: string | null;
  totalCents: number;
  /** In the order of the buyer's cart, each type once. */
  lines: readonly CartLine[];
}

export type ReservationResult =
  /** With its place in the line for payment pages; `null` when it may have its page at once. */
  | { is: 'held'; until: Date; linePlace: number | null }
  | { is: 'sold-out'; line: CartLine; left: number }
  /** Something is not as the buyer was shown it: whoever reads the event anew learns what. */
  | { is: 'changed' }
  /** The same cart holds tickets: in this order, or, without one, in another of the same batch. */
  | { is: 'held-before'; orderId: string | null };

interface Answer {
  place: number;
  outcome: 'sold-out' | 'changed' | 'held-before' | null;
  shortType: number | null;
  freeTickets: number | null;
  heldOrder: string | null;
  heldUntil: Date | null;
  linePlaces: string | null;
}

export interface ReservationTerms {
  holdMinutes: number;
  /** For how long a locked row is waited for. */
  patienceMs: number;
  /** Null where everyone may have their payment page at once. */
  pagesPerSecond: number | null;
}

/** All in one statement and one commit, first come first served. Answers in the order of the carts. */
export async function reserveCarts(
  db: Db,
  carts: readonly CartOrder[],
  { holdMinutes, patienceMs, pagesPerSecond }: ReservationTerms,
): Promise<ReservationResult[]> {
  const { events, types, orders, lines } = indexCarts(carts);
  const { rows } = await sql<Answer>`/* prepared reserve_carts */
    select * from reserve_carts(${textArray(events)}::text[],
      ${array(types.map((one) => one.event))}::integer[], ${array(types.map((one) => one.ticketTypeId))}::uuid[],
      ${textArray(types.map((one) => one.ticketName))}::text[], ${array(types.map((one) => one.unitPriceCents))}::integer[],
      ${array(orders.map((one) => one.event))}::integer[], ${array(orders.map((one) => one.orderId))}::uuid[],
      ${array(orders.map((one) => one.cartId ?? 'null'))}::uuid[], ${array(orders.map((one) => one.totalCents))}::integer[],
      ${array(lines.map((one) => one.order))}::integer[], ${array(lines.map((one) => one.type))}::integer[],
      ${array(lines.map((one) => one.quantity))}::integer[], ${holdMinutes}, ${patienceMs}, ${pagesPerSecond})`.execute(
    db,
  );

  const refused = new Map(rows.map((row) => [row.place, row]));
  const whole = refused.get(0);
  const until = whole?.heldUntil;
  if (!until) throw new Error('reserving answered without the end of the holds');

  const linePlaces = whole.linePlaces?.split(',').map(Number) ?? [];
  let atOnce = carts.length - (rows.length - 1) - linePlaces.length;
  return carts.map((_cart, index) => {
    const refusal = refused.get(index + 1);
    if (refusal) return resultFor(refusal, types);
    return { is: 'held', until, linePlace: atOnce-- > 0 ? null : (linePlaces.shift() ?? null) };
  });
}

type ShownType = CartLine & { event: number };

function resultFor(refused: Answer, types: readonly ShownType[]): ReservationResult {
  if (refused.outcome === 'held-before') return { is: 'held-before', orderId: refused.heldOrder };
  const line = types[(refused.shortType ?? 0) - 1];
  return line ? { is: 'sold-out', line, left: refused.freeTickets ?? 0 } : { is: 'changed' };
}

/** Each event and each ticket type once: a busy sale is hundreds of carts of the same few. Places count from 1. */
function indexCarts(carts: readonly CartOrder[]) {
  const events = new Map<string, number>();
  const typePlaces = new Map<string, number>();
  const types: ShownType[] = [];
  const orders: { event: number; orderId: string; cartId: string | null; totalCents: number }[] = [];
  const lines: { order: number; type: number; quantity: number }[] = [];

  for (const cart of carts) {
    const event = indexIn(events, cart.eventId);
    const order = orders.push({ event, orderId: cart.orderId, cartId: cart.cartId, totalCents: cart.totalCents });
    for (const line of cart.lines) {
      const type = indexIn(typePlaces, `${event} ${line.ticketTypeId} ${line.unitPriceCents} ${line.ticketName}`);
      if (type > types.length) types.push({ ...line, event });
      lines.push({ order, type, quantity: line.quantity });
    }
  }
  return { events: [...events.keys()], types, orders, lines };
}

function indexIn(places: Map<string, number>, key: string): number {
  const place = places.get(key) ?? places.size + 1;
  places.set(key, place);
  return place;
}

// As text, which is quicker than the driver's own arrays: ids and numbers have nothing to escape.
const array = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
const textArray = (values: readonly string[]) => array(values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`));

/** What can be bought of the events, as it stands. */
export async function eventsOnSale(db: Db, eventIds: readonly string[]) {
  const { rows } = await sql<EventOnSale>`
    select e.id, e.title, e.ends_at, e.cancelled_at, business_now() as now,
           coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name, 'priceCents', t.price_cents))
                       from ticket_types t where t.event_id = e.id and t.removed_at is null), '[]') as types
      from events e
     where e.id = any (${eventIds})`.execute(db);
  return rows;
}

export interface EventOnSale {
  id: string;
  title: string;
  endsAt: Date;
  cancelledAt: Date | null;
  now: Date;
  types: readonly { id: string; name: string; priceCents: number }[];
}

/** What a cart holds. */
export async function reservedOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders as o')
    .innerJoin('events as e', 'e.id', 'o.eventId')
    .where('o.eventId', '=', eventId)
    .where('o.id', '=', orderId)
    .select(['o.state', 'o.holdExpiresAt', 'o.sessionId', 'o.sessionUrl', 'e.title as eventTitle'])
    .select(sql<boolean>`o.state = 'held' and o.hold_expires_at > business_now()`.as('isStanding'))
    .executeTakeFirst();
}

export interface CartRef {
  eventId: string;
  cartId: string;
}

/** The ids of those carts that have tickets held. */
export async function cartsThatReserve(db: Db, carts: readonly CartRef[]): Promise<Set<string>> {
  const { rows } = await sql<{ cartId: string }>`
    select cart.id as cart_id
      from unnest(${textArray(carts.map((cart) => cart.eventId))}::text[],
                  ${array(carts.map((cart) => cart.cartId))}::uuid[]) as cart (event_id, id)
     where exists (select from orders o where o.event_id = cart.event_id and o.cart_id = cart.id and o.state = 'held')`.execute(
    db,
  );
  return new Set(rows.map((row) => row.cartId));
}
