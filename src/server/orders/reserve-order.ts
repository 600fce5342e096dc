import { LRUCache } from 'lru-cache';
import type { PricedLine } from '#domain/order.ts';
import { UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { openSuccessors } from '#server/events/open-successors.ts';
import { type Batcher, openBatcher } from '#server/platform/batching/batcher.ts';
import { openCachedReads } from '#server/platform/batching/cached-reads.ts';
import { type Db, isTooBusy, perDatabase } from '#server/platform/database.ts';
import { linkOrders } from './core/link-orders.sql.ts';
import {
  type CartOrder,
  type CartRef,
  type EventOnSale,
  eventsOnSale,
  findCartsWithReservation,
  type ReservationResult,
  type ReservationTerms,
  releaseExpiredOrders,
  reserveCarts,
} from './core/stock.sql.ts';

/** Lock timeout of the shared batcher. Orders of an event that exceeds it move to a batcher of their own. */
const LOCK_TIMEOUT_MS = 250;
const SLOW_LOCK_TIMEOUT_MS = 5_000;
/** How long a shortage is remembered. */
const SHORTAGE_TTL_MS = 250;
const MAX_TRACKED = 1_000;
const RELEASE_BATCH_SIZE = 5_000;

/** How long an event is remembered. The reservation verifies that it sells, and each type's name and price. */
const EVENT_TTL_MS = 250;

const CHANGED: ReservationResult = { is: 'changed' };
const NONE_RELEASED = { released: 0 };

/**
 * Reserves an order's tickets, batched with concurrent orders in one commit.
 *
 * @param terms the same for every order of a process
 */
export function reserveOrder(db: Db, order: CartOrder, terms: SaleTerms): Promise<ReservationResult> {
  return reservationsOf(db).reserve({ ...order, terms });
}

type SaleTerms = Pick<ReservationTerms, 'pagesPerSecond' | 'unpaidMax'>;

interface OrderRequest extends CartOrder {
  terms: SaleTerms;
}

/** Returns a line that exceeded the stock a moment ago, to fail fast. */
export function knownSoldOut(db: Db, lines: readonly PricedLine[]): PricedLine | undefined {
  return reservationsOf(db).shortages.find(lines);
}

/** The event with its ticket types, as it was a moment ago. Reject a cart only by a fresh read. */
export function cachedEventOnSale(db: Db, eventId: string): EventOnSale | undefined {
  return eventsOf(db).cached(eventId);
}

export function readEventOnSale(db: Db, eventId: string): Promise<EventOnSale | undefined> {
  return eventsOf(db).fresh(eventId);
}

const eventsOf = perDatabase((db) =>
  openCachedReads<EventOnSale>({
    name: 'event look-up',
    max: MAX_TRACKED,
    ttlMs: EVENT_TTL_MS,
    async read(eventIds) {
      const onSale = (await eventsOnSale(db, eventIds)).map(async (event): Promise<EventOnSale> => {
        const types = await openSuccessors(db, event, event.types);
        return { ...event, types };
      });
      return new Map((await Promise.all(onSale)).map((event) => [event.id, event]));
    },
  }),
);

/** Whether a cart has reserved tickets. Concurrent lookups share one query. */
export function hasReservation(db: Db, cart: CartRef): Promise<boolean> {
  return lookUpsOf(db).run(cart);
}

const lookUpsOf = perDatabase((db) =>
  openBatcher<CartRef, boolean>({
    name: 'cart look-up',
    one: async (cart) => (await findCartsWithReservation(db, [cart])).has(cart.cartId),
    async many(carts) {
      const reserving = await findCartsWithReservation(db, carts);
      return carts.map((cart) => reserving.has(cart.cartId));
    },
  }),
);

const reservationsOf = perDatabase((db) => {
  const shortages = trackShortages(db);
  return {
    shortages,
    reserve: openBatchers((orders, lockTimeoutMs) => reserveBatch({ db, shortages, orders, lockTimeoutMs })),
  };
});

type ReserveFn = (orders: readonly OrderRequest[], lockTimeoutMs: number) => Promise<ReservationResult[]>;

/** One batcher for all events, because one per event would make batches of one. */
function openBatchers(reserveBatchOf: ReserveFn): (order: OrderRequest) => Promise<ReservationResult> {
  /** Batchers of events whose rows are locked for long. */
  const isolated = new Map<string, { batcher: Batcher<OrderRequest, ReservationResult>; waiting: number }>();
  const shared = openBatcher<OrderRequest, ReservationResult | null>({
    name: 'reserve',
    many: (orders) => reserveBatchOf(orders, LOCK_TIMEOUT_MS),
    one: (order) =>
      isolated.has(order.eventId) ? Promise.resolve(null) : nullIfLocked(reserveOne(order, LOCK_TIMEOUT_MS)),
  });

  return async (order) => {
    const reserved = isolated.has(order.eventId) ? null : await shared.run(order);
    return reserved ?? reserveIsolated(order);
  };

  async function reserveOne(order: OrderRequest, lockTimeoutMs: number): Promise<ReservationResult> {
    return (await reserveBatchOf([order], lockTimeoutMs))[0] ?? CHANGED;
  }

  async function reserveIsolated(order: OrderRequest): Promise<ReservationResult> {
    const batch = isolated.get(order.eventId) ?? { batcher: openIsolatedBatcher(), waiting: 0 };
    isolated.set(order.eventId, batch);
    batch.waiting += 1;
    return batch.batcher.run(order).finally(() => {
      batch.waiting -= 1;
      if (batch.waiting === 0) isolated.delete(order.eventId);
    });
  }

  function openIsolatedBatcher(): Batcher<OrderRequest, ReservationResult> {
    return openBatcher({
      name: 'reserve isolated',
      many: (orders) => reserveBatchOf(orders, SLOW_LOCK_TIMEOUT_MS),
      one: (order) => reserveOne(order, SLOW_LOCK_TIMEOUT_MS),
      // All orders wait for the same event's rows.
      failsEach: isTooBusy,
    });
  }
}

interface Batch {
  db: Db;
  shortages: ReturnType<typeof trackShortages>;
  orders: readonly OrderRequest[];
  lockTimeoutMs: number;
}

const SHORT: ReadonlySet<string> = new Set(['sold-out', 'promo-short']);

/** If stock or a promo code is short, releases expired reservations and retries once. */
async function reserveBatch({ db, shortages, orders, lockTimeoutMs }: Batch): Promise<ReservationResult[]> {
  const terms = {
    reservationMinutes: UNPAID_RESERVATION_MINUTES,
    lockTimeoutMs,
    pagesPerSecond: orders[0]?.terms.pagesPerSecond ?? null,
    unpaidMax: orders[0]?.terms.unpaidMax ?? null,
  };
  const reserved = await reserveCarts(db, orders, terms);
  const denied = orders.filter((_order, index) => SHORT.has(reserved[index]?.is ?? ''));
  if (denied.length === 0) {
    await noteLinks(db, orders, reserved);
    return reserved;
  }

  // The reservations are committed: an error from here on must not make the batcher repeat the batch.
  const retried = (await shortages.releaseExpired(denied)) ? await reserveCarts(db, denied, terms).catch(() => []) : [];
  const results = new Map(denied.map((order, index) => [order.orderId, retried[index]]));
  const settled = orders.map((order, index) => results.get(order.orderId) ?? reserved[index] ?? CHANGED);
  shortages.record(settled);
  await noteLinks(db, orders, settled);
  return settled;
}

/** After the commit, so that most batches, which have no link, do nothing for it. A sale doesn't fail because its link gets lost. */
async function noteLinks(
  db: Db,
  orders: readonly OrderRequest[],
  results: readonly ReservationResult[],
): Promise<void> {
  const linked = orders.filter(({ linkId }, index) => linkId !== undefined && results[index]?.is === 'reserved');
  if (linked.length > 0) await linkOrders(db, linked).catch(() => undefined);
}

/** Ticket types that recently ran short. Per process only, because entries expire within a fraction of a second. */
function trackShortages(db: Db) {
  const leftByType = new LRUCache<string, number>({ max: MAX_TRACKED, ttl: SHORTAGE_TTL_MS });
  const checkedEvents = new LRUCache<string, true>({ max: MAX_TRACKED, ttl: SHORTAGE_TTL_MS });

  return {
    record(results: readonly ReservationResult[]): void {
      for (const result of results) if (result.is === 'sold-out') leftByType.set(result.line.ticketTypeId, result.left);
    },

    find(lines: readonly PricedLine[]): PricedLine | undefined {
      if (leftByType.size === 0) return undefined;
      return lines.find(({ ticketTypeId, quantity }) => {
        const left = leftByType.get(ticketTypeId);
        return left !== undefined && quantity > left;
      });
    },

    /** True if stock may have become available. Checks each event at most once per `SHORTAGE_TTL_MS`. */
    async releaseExpired(denied: readonly CartOrder[]): Promise<boolean> {
      if (denied.every(({ eventId }) => checkedEvents.has(eventId))) return false;
      for (const { eventId } of denied) checkedEvents.set(eventId, true);

      const released = await releaseExpiredOrders(db, { atMost: RELEASE_BATCH_SIZE }).catch(() => NONE_RELEASED);
      // `null`: another server is releasing, perhaps for this event.
      return released === null || released.released > 0;
    },
  };
}

/** `null` if a row stayed locked past the lock timeout. */
async function nullIfLocked<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isTooBusy(error)) return null;
    throw error;
  }
}
