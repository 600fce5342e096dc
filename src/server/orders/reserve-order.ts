/** Takes the tickets of an order, together with whoever else is buying: one commit for all who wait. */

import { UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { type Batcher, openBatcher } from '#server/platform/batching/batcher.ts';
import { type Db, isTooBusy, perDatabase } from '#server/platform/database.ts';
import { releaseUnopenedOrders } from './checkout-queue.sql.ts';
import { type CartLine, type CartOrder, type ReservationResult, reserveCarts } from './reserve.sql.ts';

/** How long everyone's lane waits for a locked row; after that, the orders of that event wait for it beside the lane. */
const PATIENCE_MS = 250;
const PATIENCE_BESIDE_MS = 5_000;
/** For so long a ticket type that was found short counts as short, without another look. */
const SHORT_FOR_MS = 250;
const NOTED_AT_MOST = 1_000;
const GIVEN_BACK_AT_MOST = 5_000;

/** @param pagesPerSecond the pace of payment pages, the same with every call; `null` where they are opened at once */
export function reserveOrder(db: Db, order: CartOrder, pagesPerSecond: number | null): Promise<ReservationResult> {
  return reservationsOf(db).reserve({ ...order, pagesPerSecond });
}

interface PacedOrder extends CartOrder {
  pagesPerSecond: number | null;
}

/** The line that was too much a moment ago, so that a loser can be told at once. */
export function knownSoldOut(db: Db, lines: readonly CartLine[]): CartLine | undefined {
  return reservationsOf(db).stock.knownShort(lines);
}

const reservationsOf = perDatabase((db) => {
  const stock = watchStock(db);
  return { stock, reserve: openBatchers((orders, patienceMs) => reserveBatch({ db, stock, orders, patienceMs })) };
});

type Take = (orders: readonly PacedOrder[], patienceMs: number) => Promise<ReservationResult[]>;

/** One lane for all events: one for each would make batches of one. */
function openBatchers(take: Take): (order: PacedOrder) => Promise<ReservationResult> {
  /** Lanes of events whose rows somebody holds for long. */
  const beside = new Map<string, { lane: Batcher<PacedOrder, ReservationResult>; waiting: number }>();
  const everyone = openBatcher<PacedOrder, ReservationResult | null>({
    name: 'reserve',
    many: (orders) => take(orders, PATIENCE_MS),
    one: (order) => (beside.has(order.eventId) ? Promise.resolve(null) : unlessLocked(takeOne(order, PATIENCE_MS))),
  });

  return async (order) => {
    const reserved = beside.has(order.eventId) ? null : await everyone.run(order);
    return reserved ?? reserveBeside(order);
  };

  async function takeOne(order: PacedOrder, patienceMs: number): Promise<ReservationResult> {
    return (await take([order], patienceMs))[0] ?? { is: 'changed' };
  }

  async function reserveBeside(order: PacedOrder): Promise<ReservationResult> {
    const own = beside.get(order.eventId) ?? { lane: laneBeside(), waiting: 0 };
    beside.set(order.eventId, own);
    own.waiting += 1;
    return own.lane.run(order).finally(() => {
      own.waiting -= 1;
      if (own.waiting === 0) beside.delete(order.eventId);
    });
  }

  function laneBeside(): Batcher<PacedOrder, ReservationResult> {
    return openBatcher({
      name: 'reserve beside',
      many: (orders) => take(orders, PATIENCE_BESIDE_MS),
      one: (order) => takeOne(order, PATIENCE_BESIDE_MS),
      // All of them wait for the rows of one event.
      failsEach: isTooBusy,
    });
  }
}

interface Batch {
  db: Db;
  stock: ReturnType<typeof watchStock>;
  orders: readonly PacedOrder[];
  patienceMs: number;
}

/** Where tickets are short, the holds that are over are given back before anybody is told, and before the next batch. */
async function reserveBatch({ db, stock, orders, patienceMs }: Batch): Promise<ReservationResult[]> {
  const terms = {
    holdMinutes: UNPAID_RESERVATION_MINUTES,
    patienceMs,
    pagesPerSecond: orders[0]?.pagesPerSecond ?? null,
  };
  const reserved = await reserveCarts(db, orders, terms);
  const losers = orders.filter((_order, place) => reserved[place]?.is === 'sold-out');
  if (losers.length === 0) return reserved;

  // What is reserved stands: nothing that fails from here on may make the lane begin this batch anew.
  const second = (await stock.bringBack(losers)) ? await reserveCarts(db, losers, terms).catch(() => []) : [];
  const answers = new Map(losers.map((order, place) => [order.orderId, second[place]]));
  const settled = orders.map((order, place) => answers.get(order.orderId) ?? reserved[place] ?? CHANGED);
  stock.noteShort(settled);
  return settled;
}

const CHANGED: ReservationResult = { is: 'changed' };

/** What this process knows of stock that ran short. Others need not know it: it ends by itself, and soon. */
function watchStock(db: Db) {
  const short = new Map<string, { left: number; until: number }>();
  const lookedAt = new Map<string, number>();

  return {
    noteShort(answers: readonly ReservationResult[]): void {
      if (short.size > NOTED_AT_MOST) short.clear();
      const until = performance.now() + SHORT_FOR_MS;
      for (const answer of answers)
        if (answer.is === 'sold-out') short.set(answer.line.ticketTypeId, { left: answer.left, until });
    },

    knownShort(lines: readonly CartLine[]): CartLine | undefined {
      if (short.size === 0) return undefined;
      const now = performance.now();
      return lines.find(({ ticketTypeId, quantity }) => {
        const known = short.get(ticketTypeId);
        return known !== undefined && now < known.until && quantity > known.left;
      });
    },

    /** Whether there may be more now than before. Looks once in a while for each event. */
    async bringBack(losers: readonly CartOrder[]): Promise<boolean> {
      const now = performance.now();
      const isKnown = ({ eventId }: CartOrder) =>
        now - (lookedAt.get(eventId) ?? Number.NEGATIVE_INFINITY) < SHORT_FOR_MS;
      if (losers.every(isKnown)) return false;
      if (lookedAt.size > NOTED_AT_MOST) lookedAt.clear();
      for (const { eventId } of losers) lookedAt.set(eventId, now);

      const given = await releaseUnopenedOrders(db, { atMost: GIVEN_BACK_AT_MOST }).catch(() => NOTHING);
      // Without an answer another server is at it: what it gives back may be this event's.
      return given === null || given.holds > 0;
    },
  };
}

const NOTHING = { holds: 0 };

/** Null where a row stayed locked for longer than we are ready to wait. */
async function unlessLocked<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isTooBusy(error)) return null;
    throw error;
  }
}
