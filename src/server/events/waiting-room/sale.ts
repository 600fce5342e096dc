/**
 * How an event's sale stands, and whose turn it is. The snapshot is cached per process and read from the database at most twice a
 * second, however many requests need it; it decides nothing and may be lost at any time.
 */

import { LRUCache } from 'lru-cache';
import type { WaitingRoom } from '#contract/app/waiting-room.ts';
import { calledAt, denyTurn } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { EVENT_ID } from '#server/platform/ids.ts';
import { ratesOf } from './open-room.ts';
import { cartIdOf, findPass, type Pass, positionOf, publicDraw, type WaitingRoomState } from './pass.ts';
import { closeDraw, hasPaidCart, saleRow } from './waiting-room.sql.ts';

/** A sale with a declared start. */
export interface Sale {
  salesStartAt: Date;
  room: WaitingRoomState | null;
  /** The public reply as JSON, without `now` and the closing brace. */
  publicJson: string;
}

const FRESH_MS = 500;
/** Longer without a sales start, because then there is nothing to show. */
const FRESH_WITHOUT_START_MS = 2_000;
/** When the database is slow or down, the last snapshot is served after this delay. */
const STALE_AFTER_MS = 300;
/** Longer than any statement may take, so the connection is dead. The next query gets another one. */
const ABANDON_AFTER_MS = 20_000;
const MAX_CACHED = 1_000;

interface CacheEntry {
  snapshot: { sale: Sale | null; at: number } | null;
  /** The running query. Only one at a time, so that a slow database gets no extra load. */
  pending: { result: Promise<Sale | null>; startedAt: number } | null;
}

const cacheOf = perDatabase(() => new LRUCache<string, CacheEntry>({ max: MAX_CACHED }));

/** `null` for an unknown, ended or cancelled event, and for one without a sales start. */
export async function readSale(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  eventId: string,
): Promise<Sale | null> {
  if (!EVENT_ID.test(eventId)) return null;
  const cache = cacheOf(db);
  const entry = cache.get(eventId) ?? { snapshot: null, pending: null };
  if (entry.snapshot && isFresh(entry.snapshot) && !isDrawDue(entry.snapshot.sale, clock.now()))
    return entry.snapshot.sale;

  if (entry.pending && performance.now() - entry.pending.startedAt > ABANDON_AFTER_MS) entry.pending = null;
  entry.pending ??= { result: refresh({ db, appSecret }, eventId, entry), startedAt: performance.now() };
  cache.set(eventId, entry);
  return entry.pending.result;
}

type SaleDeps = Pick<Deps, 'db' | 'appSecret'>;

/** Shared by all concurrent callers. Falls back to the last snapshot on an error or a timeout. */
async function refresh(deps: SaleDeps, eventId: string, entry: CacheEntry): Promise<Sale | null> {
  const loading = loadSale(deps, eventId)
    .then((sale) => {
      entry.snapshot = { sale, at: performance.now() };
      return sale;
    })
    .finally(() => {
      entry.pending = null;
    });
  if (!entry.snapshot) return loading;
  const last = entry.snapshot.sale;
  const timeout = new Promise<Sale | null>((resolve) => setTimeout(resolve, STALE_AFTER_MS, last));
  return Promise.race([loading.catch(() => last), timeout]);
}

async function loadSale({ db, appSecret }: SaleDeps, eventId: string): Promise<Sale | null> {
  let row = await saleRow(db, eventId);
  if (row?.isDrawDue) {
    await closeDraw(db, eventId);
    row = await saleRow(db, eventId);
  }
  if (!row?.salesStartAt) return null;
  const room = roomState(row);
  const reply: Omit<WaitingRoom, 'now'> = {
    salesStartAt: row.salesStartAt.toISOString(),
    rates: (room?.rates ?? []).map((rate) => ({ ...rate, since: rate.since.toISOString() })),
    lastPass: row.lastPass ?? 0,
    isSoldOut: row.isSoldOut,
    draw: room && publicDraw(eventId, room, appSecret, row.now),
  };
  return { salesStartAt: row.salesStartAt, room, publicJson: JSON.stringify(reply).slice(0, -1) };
}

type Row = NonNullable<Awaited<ReturnType<typeof saleRow>>>;

function roomState({ drawSize, calledBefore, since, perMinute, earlierRates }: Row): WaitingRoomState | null {
  if (calledBefore === null || since === null || perMinute === null || earlierRates === null) return null;
  return { rates: ratesOf({ calledBefore, since, perMinute, earlierRates }), drawSize };
}

function isFresh({ sale, at }: { sale: Sale | null; at: number }): boolean {
  return performance.now() - at < (sale ? FRESH_MS : FRESH_WITHOUT_START_MS);
}

/** The first read after the start triggers the draw. */
function isDrawDue(sale: Sale | null, now: Date): boolean {
  const start = sale?.room?.drawSize === null ? sale.room.rates[0]?.since : undefined;
  return start !== undefined && start <= now;
}

/**
 * Rejects a checkout before the start of sales or, if the event has a waiting room, out of turn.
 *
 * @param cookie the browser's passes
 * @returns the cart ID of the pass, or `null` without a waiting room
 */
export async function requireTurn(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  eventId: string,
  cookie: string | undefined,
): Promise<string | null> {
  const sale = await readSale(deps, eventId);
  // After reading the sale, which may take a while.
  const now = deps.clock.now();
  if (!sale) return null;
  if (now < sale.salesStartAt) throw new AppError('waiting-room.sales-not-started');
  if (!sale.room) return null;

  const pass = findPass(cookie, { eventId, room: sale.room }, deps.appSecret);
  if (!pass) throw new AppError('waiting-room.no-pass');
  const position = positionOf(pass, sale.room, deps.appSecret);
  const denial = position === null ? 'not-your-turn' : denyTurn(calledAt(position, sale.room.rates), now);
  if (denial) throw new AppError(`waiting-room.${denial}`);
  if (await isPassUsed(deps, pass)) throw new AppError('waiting-room.pass-used');
  return cartIdOf(pass, deps.appSecret);
}

/** A pass is good for one order. */
export function isPassUsed(deps: Pick<Deps, 'db' | 'appSecret'>, pass: Pass): Promise<boolean> {
  return isCartPaid(deps, pass.eventId, cartIdOf(pass, deps.appSecret));
}

export function isCartPaid({ db }: Pick<Deps, 'db'>, eventId: string, cartId: string): Promise<boolean> {
  return hasPaidCart(db, eventId, cartId);
}
