/**
 * Keeps a buyer's place in a sale and what everyone is told up to date. Time passes in the browser by itself, so it asks
 * seldom; and never at the same moment as everybody else.
 */
import { saleNotLoaded } from '#contract/page-words.ts';
import type { WaitingRoom } from '#contract/waiting-room.ts';
import { pageKeepsTrying, placeIsKept } from '#contract/waiting-room-words.ts';
import { CallError, messageFrom } from '#web/call-error.ts';
import { CodeNotLoadedError } from '#web/load-code.ts';
import { loadEventCalls } from '../load-event-calls.ts';
import { mayJoin, type Turn, turnOf } from './sale-stage.ts';

export interface SaleSeen {
  sale: WaitingRoom;
  /** See turnOf. */
  place: number | null | undefined;
  /** By how much the product's clock is ahead of this browser's. */
  aheadMs: number;
}

interface Listener {
  /** Also where the place could not be asked for. */
  seen(seen: SaleSeen): void;
  /** Everything that was asked for was answered. */
  reached(): void;
  missed(why: string): void;
  gone(): void;
}

const SECOND = 1000;
/** A line that has gone silent says nothing of it by itself. */
const PATIENCE_MS = 10 * SECOND;

/** @param last what was seen before, if anything; its place is asked for again, for it may no longer be good */
export async function followSale(
  eventId: string,
  last: SaleSeen | null,
  tell: Listener,
  signal: AbortSignal,
): Promise<void> {
  let seen = last;
  let isPlaceSure = false;
  let misses = 0;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      const { readSale, takePlace } = await loadEventCalls();
      const sale = await readSale(eventId, withPatience(signal));
      const now = new Date(sale.now);
      seen = { sale, place: placeFor(sale, seen), aheadMs: now.getTime() - Date.now() };
      isPlaceSure &&= seen.place !== undefined && turnOf(sale, seen.place, now).is !== 'arriving';
      try {
        if (mayJoin(sale, now) && !isPlaceSure) {
          seen = { ...seen, ...(await takePlace(eventId, withPatience(signal))) };
          isPlaceSure = true;
        }
      } finally {
        if (!signal.aborted) tell.seen(seen);
      }
      tell.reached();
      misses = 0;
      waitMs = untilNextLook(turnOf(sale, seen.place, now), now);
    } catch (error) {
      if (signal.aborted) return;
      misses += 1;
      // Cancelled, or on sale without a start from now on: the event itself says which.
      if (error instanceof CallError && error.status === 404) tell.gone();
      else if (error instanceof CodeNotLoadedError) tell.missed(saleNotLoaded);
      else tell.missed(messageFrom(error, hasPlace(seen) ? placeIsKept : pageKeepsTrying));
      waitMs = between(2, 4) * Math.min(2 ** misses, 8);
    }
    await pause(waitMs, signal);
  }
}

const withPatience = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);

/** Whoever has moved the start has made an end of all places. */
function placeFor(sale: WaitingRoom, last: SaleSeen | null): SaleSeen['place'] {
  return last && startOf(last.sale) === startOf(sale) ? last.place : undefined;
}

/** The first pace says when the room starts; it stays when others follow. */
const startOf = ({ salesStartAt, paces }: WaitingRoom) => paces[0]?.since ?? salesStartAt;

/** One that has passed cannot be kept. */
function hasPlace(seen: SaleSeen | null): boolean {
  if (seen === null || seen.place === undefined) return false;
  return turnOf(seen.sale, seen.place, new Date(Date.now() + seen.aheadMs)).is !== 'passed';
}

/** Whoever waits for an instant asks a little after it, each at another moment. */
function untilNextLook(turn: Turn, now: Date): number {
  const until = (moment: Date) => Math.max(0, moment.getTime() - now.getTime());
  if (turn.is === 'early') {
    const next = turn.opensAt && turn.opensAt > now ? turn.opensAt : turn.startsAt;
    return Math.min(between(40, 60), until(next) + between(0.2, 5));
  }
  if (turn.is === 'in-draw') return Math.min(between(20, 40), until(turn.startsAt) + between(0.2, 3));
  if (turn.is === 'arriving') return between(1, 3);
  return turn.is === 'waiting' ? between(8, 15) : between(20, 40);
}

function between(leastSeconds: number, mostSeconds: number): number {
  return (leastSeconds + Math.random() * (mostSeconds - leastSeconds)) * SECOND;
}

/** Shorter when the reader comes back to the page, or the line to the server. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const onReturn = () => {
      if (document.visibilityState === 'visible') end();
    };
    signal.addEventListener('abort', end, { signal: over.signal });
    document.addEventListener('visibilitychange', onReturn, { signal: over.signal });
    window.addEventListener('online', end, { signal: over.signal });
  });
}
