/**
 * An event's sale, as every request of an on-sale asks for it: looked at once in half a second by each process, however many
 * ask. Nothing is decided by what is kept here: it is a look at the database, and may be lost at any time.
 */

import type { WaitingRoom } from '#contract/waiting-room.ts';
import type { QueueRate } from '#domain/waiting-room.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { EVENT_ID } from '#server/platform/ids.ts';
import { ratesOf } from './open-room.ts';
import { closeDraw, saleRow } from './waiting-room.sql.ts';

/** A sale with a declared start. */
export interface Sale {
  salesStartAt: Date;
  room: WaitingRoomState | null;
  /** What everyone is told, as JSON that still lacks the time and its end. */
  told: string;
}

export interface WaitingRoomState {
  paces: QueueRate[];
  /** How many came before the start; null until the draw. */
  early: number | null;
}

const FRESH_MS = 500;
/** Of an event without a declared start there is nothing to tell, until its organizer declares one. */
const FRESH_WITHOUT_START_MS = 2_000;
/** A database that is busy or gone does not empty the room: after this long, what was last seen is told on. */
const PATIENCE_MS = 300;
/** No statement may take as long as this: the line to the database is dead, and the next look takes another one. */
const LOST_AFTER_MS = 20_000;
const SALES_CACHED = 1_000;

interface Poll {
  seen: { sale: Sale | null; at: number } | null;
  /** Under way: one at a time, since a database that is slow is not helped by more of the same. */
  next: { answer: Promise<Sale | null>; askedAt: number } | null;
}

const pollsAt = perDatabase(() => new Map<string, Poll>());

/** Null where there is no such event, where it is over or off, and where its tickets sell from the day that it was made. */
export async function readSale({ db, clock }: Pick<Deps, 'db' | 'clock'>, eventId: string): Promise<Sale | null> {
  if (!EVENT_ID.test(eventId)) return null;
  const looks = pollsAt(db);
  const look = looks.get(eventId) ?? { seen: null, next: null };
  if (look.seen && isFresh(look.seen) && !isDrawDue(look.seen.sale, clock.now())) return look.seen.sale;

  if (look.next && performance.now() - look.next.askedAt > LOST_AFTER_MS) look.next = null;
  look.next ??= { answer: pollAgain(db, eventId, look), askedAt: performance.now() };
  keep(looks, eventId, look);
  return look.next.answer;
}

/** Whoever asks while it is under way gets the same answer: at once, where the patience has ended already. */
async function pollAgain(db: Db, eventId: string, look: Poll): Promise<Sale | null> {
  const coming = saleOf(db, eventId)
    .then((sale) => {
      look.seen = { sale, at: performance.now() };
      return sale;
    })
    .finally(() => {
      look.next = null;
    });
  if (!look.seen) return coming;
  const last = look.seen.sale;
  const patience = new Promise<Sale | null>((resolve) => setTimeout(resolve, PATIENCE_MS, last));
  return Promise.race([coming.catch(() => last), patience]);
}

async function saleOf(db: Db, eventId: string): Promise<Sale | null> {
  let row = await saleRow(db, eventId);
  if (row?.isDrawDue) {
    await closeDraw(db, eventId);
    row = await saleRow(db, eventId);
  }
  if (!row?.salesStartAt) return null;
  const room = roomOf(row);
  const told: Omit<WaitingRoom, 'now'> = {
    salesStartAt: row.salesStartAt.toISOString(),
    paces: (room?.paces ?? []).map((pace) => ({ ...pace, since: pace.since.toISOString() })),
    given: row.given ?? 0,
    isSoldOut: row.isSoldOut,
  };
  return { salesStartAt: row.salesStartAt, room, told: JSON.stringify(told).slice(0, -1) };
}

type Row = NonNullable<Awaited<ReturnType<typeof saleRow>>>;

function roomOf({ early, calledBefore, since, perMinute, earlierPaces }: Row): WaitingRoomState | null {
  if (calledBefore === null || since === null || perMinute === null || earlierPaces === null) return null;
  return { paces: ratesOf({ calledBefore, since, perMinute, earlierPaces }), early };
}

function isFresh({ sale, at }: { sale: Sale | null; at: number }): boolean {
  return performance.now() - at < (sale ? FRESH_MS : FRESH_WITHOUT_START_MS);
}

/** Whoever was there before the start is drawn as soon as somebody asks after it. */
function isDrawDue(sale: Sale | null, now: Date): boolean {
  const start = sale?.room?.early === null ? sale.room.paces[0]?.since : undefined;
  return start !== undefined && start <= now;
}

function keep(looks: Map<string, Poll>, eventId: string, look: Poll): void {
  // The one asked for last is the last to go.
  looks.delete(eventId);
  const oldest = looks.keys().next();
  if (looks.size >= SALES_CACHED && !oldest.done) looks.delete(oldest.value);
  looks.set(eventId, look);
}
