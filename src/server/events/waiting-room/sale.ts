/**
 * How an event's sale stands, and whose turn it is. The snapshot is cached per process and read from the database at most twice a
 * second, however many requests need it; it decides nothing and may be lost at any time.
 */

import { LRUCache } from 'lru-cache';
import type { WaitingRoom } from '#contract/app/waiting-room.ts';
import { denyTurn } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import { advanceRoom, isAdvanceDue, turnOf } from './advance-room.ts';
import { ratesOf } from './open-room.ts';
import {
  cartIdOf,
  drawSecretId,
  drawSecretOf,
  findPass,
  type Pass,
  positionOf,
  publicDraw,
  type WaitingRoomState,
} from './pass.ts';
import { minuteOf, presenceOf } from './presence.ts';
import { closeDraw, hasPaidCart, nameDrawSecret, saleRow } from './waiting-room.sql.ts';

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
  if (!PUBLIC_ID.test(eventId)) return null;
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
  if (row?.since && !row.drawSecretId) {
    await nameDrawSecret(db, eventId, drawSecretId(appSecret));
    row = await saleRow(db, eventId);
  }
  if (row?.since && row.lastPass) {
    await presenceOf(db).flush();
    row = await advanced({ db, appSecret }, eventId, row);
  }
  if (!row?.salesStartAt) return null;
  const room = roomState(row, appSecret);
  const reply: Omit<WaitingRoom, 'now'> = {
    salesStartAt: row.salesStartAt.toISOString(),
    rates: (room?.rates ?? []).map((rate) => ({ ...rate, since: rate.since.toISOString() })),
    lastPass: row.lastPass ?? 0,
    pausedAt: room?.pausedAt?.toISOString() ?? null,
    isSoldOut: row.isSoldOut,
    draw: room && publicDraw(eventId, room, row.now),
  };
  return { salesStartAt: row.salesStartAt, room, publicJson: JSON.stringify(reply).slice(0, -1) };
}

type Row = NonNullable<Awaited<ReturnType<typeof saleRow>>>;

/** The room after its moves: polls drive it, and an empty room stands still. */
async function advanced({ db, appSecret }: SaleDeps, eventId: string, row: Row): Promise<Row | undefined> {
  const { lastPass, calledThrough, drawSize, drawSecretId, pausedAt } = row;
  const rates = rateColumns(row);
  if (lastPass === null || calledThrough === null || !rates) return row;
  if (!isAdvanceDue({ ...rates, lastPass, calledThrough, drawSize, pausedAt }, row.now)) return row;
  await advanceRoom(db, eventId, { drawSecret: drawSecretOf(appSecret, drawSecretId) }, row.now);
  return saleRow(db, eventId);
}

function rateColumns({ calledBefore, since, perMinute, earlierRates }: Row) {
  if (calledBefore === null || since === null || perMinute === null || earlierRates === null) return null;
  return { calledBefore, since, perMinute, earlierRates };
}

function roomState(row: Row, appSecret: Deps['appSecret']): WaitingRoomState | null {
  const rates = rateColumns(row);
  if (!rates) return null;
  const { drawSize, pausedAt } = row;
  return { rates: ratesOf(rates), drawSize, drawSecret: drawSecretOf(appSecret, row.drawSecretId), pausedAt };
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
  if (sale.room.pausedAt) throw new AppError('checkout.sales-paused');

  const pass = findPass(cookie, { eventId, room: sale.room }, deps.appSecret);
  if (!pass) throw new AppError('waiting-room.no-pass');
  const position = positionOf(pass, sale.room);
  const turn = position === null ? null : await turnOf(deps, { eventId, position, room: sale.room });
  const denial = turn === null ? 'not-your-turn' : denyTurn(turn.calledAt, now);
  if (denial) throw new AppError(`waiting-room.${denial}`);
  presenceOf(deps.db).note(eventId, pass.arrival, minuteOf(now));
  if (await isPassUsed(deps, pass)) throw new AppError('waiting-room.pass-used');
  return cartIdOf(pass);
}

/** A pass is good for one order. */
export function isPassUsed(deps: Pick<Deps, 'db'>, pass: Pass): Promise<boolean> {
  return isCartPaid(deps, pass.eventId, cartIdOf(pass));
}

export function isCartPaid({ db }: Pick<Deps, 'db'>, eventId: string, cartId: string): Promise<boolean> {
  return hasPaidCart(db, eventId, cartId);
}
