/**
 * Polls the sale and the buyer's position. The page counts time by itself, so polling is slow; delays are random, so that browsers
 * do not poll in sync.
 */

import type { WaitingRoom } from '#contract/app/waiting-room.ts';
import { saleNotLoaded } from '#messages/pages.ts';
import { stillTrying, stillTryingWithPosition } from '#messages/waiting-room.ts';
import { CallError, codeFrom, messageFrom } from '#web/call-error.ts';
import { CodeNotLoadedError, loadCode } from '#web/load-code.ts';
import { noteDraw } from './draw-note.ts';
import { mayJoin, type SaleStage, saleStage } from './sale-stage.ts';

export interface SaleSnapshot {
  sale: WaitingRoom;
  /** See saleStage. */
  position: number | null | undefined;
  /** When a pass comes up again that came up while its page was closed. */
  returnsAt: string | null;
  /** Why this browser gets no pass before the start. */
  denial: string | null;
  /** How far the server's clock is ahead of this browser's. */
  aheadMs: number;
}

interface Listener {
  /** Called even if the position could not be fetched. */
  onSnapshot(snapshot: SaleSnapshot): void;
  /** All requests succeeded. */
  onSuccess(): void;
  onFailure(reason: string): void;
  onGone(): void;
}

const SECOND = 1000;
/** A dropped connection may never report an error. */
const TIMEOUT_MS = 10 * SECOND;

/** @param last the previous snapshot, if any; its position is fetched again, because it may have expired */
export async function pollSale(
  eventId: string,
  last: SaleSnapshot | null,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  let snapshot = last;
  let isPositionCurrent = false;
  /** Once the position comes up, the server says whether its page was seen in time. */
  let lastKind: SaleStage['kind'] | null = null;
  let failures = 0;
  while (!signal.aborted) {
    let delayMs: number;
    try {
      const { readSale } = await loadCode(() => import('../event-calls.ts'));
      const sale = await readSale(eventId, withTimeout(signal));
      const now = new Date(sale.now);
      snapshot = { ...placeFor(sale, snapshot), sale, denial: null, aheadMs: now.getTime() - Date.now() };
      const { kind } = saleStage(sale, snapshot, now);
      isPositionCurrent &&=
        snapshot.position !== undefined && kind !== 'arriving' && (kind !== 'called' || kind === lastKind);
      lastKind = kind;
      try {
        if (mayJoin(sale, now) && !isPositionCurrent) {
          const answer = await join(eventId, sale, signal);
          snapshot = { ...snapshot, ...answer };
          isPositionCurrent = answer.denial === null;
        }
      } finally {
        if (!signal.aborted) listener.onSnapshot(snapshot);
      }
      listener.onSuccess();
      failures = 0;
      delayMs = nextPollDelay(saleStage(sale, snapshot, now), now);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      // Cancelled, or no longer scheduled: the event page reloads to find out.
      if (error instanceof CallError && error.status === 404) listener.onGone();
      else if (error instanceof CodeNotLoadedError) listener.onFailure(saleNotLoaded);
      else listener.onFailure(messageFrom(error, hasPosition(snapshot) ? stillTryingWithPosition : stillTrying));
      delayMs = randomMs(2, 4) * Math.min(2 ** failures, 8);
    }
    await pause(delayMs, signal);
  }
}

/** The denial of a network is an answer, not a failure: the page joins when sales start. */
async function join(
  eventId: string,
  { draw }: WaitingRoom,
  signal: AbortSignal,
): Promise<Pick<SaleSnapshot, 'position' | 'returnsAt' | 'denial'>> {
  const { takePosition } = await loadCode(() => import('../event-calls.ts'));
  try {
    const { position, arrival, returnsAt } = await takePosition(eventId, withTimeout(signal));
    if (draw) noteDraw(eventId, draw, { arrival, position });
    return { position, returnsAt, denial: null };
  } catch (error) {
    if (codeFrom(error) !== 'waiting-room.network-limit') throw error;
    return { position: undefined, returnsAt: null, denial: messageFrom(error, stillTrying) };
  }
}

const withTimeout = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);

/** A moved start invalidates all positions. */
function placeFor(sale: WaitingRoom, last: SaleSnapshot | null): Pick<SaleSnapshot, 'position' | 'returnsAt'> {
  if (!last || startOf(last.sale) !== startOf(sale)) return { position: undefined, returnsAt: null };
  return { position: last.position, returnsAt: last.returnsAt };
}

/** The first rate begins at the start of the sale, and stays first. */
const startOf = ({ salesStartAt, rates }: WaitingRoom) => rates[0]?.since ?? salesStartAt;

/** False after the turn has passed. */
function hasPosition(snapshot: SaleSnapshot | null): boolean {
  if (snapshot === null || snapshot.position === undefined) return false;
  return saleStage(snapshot.sale, snapshot, new Date(Date.now() + snapshot.aheadMs)).kind !== 'passed';
}

/** Polls shortly after the next stage begins, at a random offset. */
function nextPollDelay(stage: SaleStage, now: Date): number {
  const until = (moment: Date) => Math.max(0, moment.getTime() - now.getTime());
  if (stage.kind === 'early') {
    const next = stage.opensAt && stage.opensAt > now ? stage.opensAt : stage.startsAt;
    return Math.min(randomMs(40, 60), until(next) + randomMs(0.2, 5));
  }
  if (stage.kind === 'in-draw') return Math.min(randomMs(20, 40), until(stage.startsAt) + randomMs(0.2, 3));
  if (stage.kind === 'arriving') return randomMs(1, 3);
  return stage.kind === 'waiting' ? randomMs(8, 15) : randomMs(20, 40);
}

function randomMs(minSeconds: number, maxSeconds: number): number {
  return (minSeconds + Math.random() * (maxSeconds - minSeconds)) * SECOND;
}

/** Ends early when the page becomes visible or the network returns. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const onVisible = () => {
      if (document.visibilityState === 'visible') end();
    };
    signal.addEventListener('abort', end, { signal: done.signal });
    document.addEventListener('visibilitychange', onVisible, { signal: done.signal });
    window.addEventListener('online', end, { signal: done.signal });
  });
}
