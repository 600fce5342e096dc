/** Computes a buyer's stage in a sale from the shared sale data and this browser's position. */
import type { WaitingRoom } from '#contract/app/waiting-room.ts';
import {
  calledAt,
  denyTurn,
  passesCalled,
  selectableFrom,
  turnEndsAt,
  waitingRoomOpensAt,
} from '#domain/waiting-room.ts';

export type SaleStage =
  /** Before the start; `opensAt` is when the waiting room opens, null without one. */
  | { kind: 'early'; startsAt: Date; opensAt: Date | null }
  /** In the waiting room before the start; the draw assigns positions. */
  | { kind: 'in-draw'; startsAt: Date; people: number }
  /** The sale has started and this browser's position is not loaded yet. */
  | { kind: 'arriving' }
  /** `wasSkipped`: it came up while its page was closed, and comes up again. */
  | { kind: 'waiting'; position: number; before: number; calledAt: Date; wasSkipped: boolean }
  | { kind: 'called'; until: Date }
  | { kind: 'passed' }
  /** No position is called until sales resume. */
  | { kind: 'paused' }
  /** On sale, without a waiting room. */
  | { kind: 'open' };

interface Place {
  /** Undefined before joining, null before the draw. */
  position: number | null | undefined;
  /** Null unless the pass came up while its page was closed. */
  returnsAt: string | null;
}

export function saleStage(sale: WaitingRoom, { position, returnsAt }: Place, now: Date): SaleStage {
  if (sale.pausedAt !== null) return { kind: 'paused' };
  const rates = sale.rates.map((rate) => ({ ...rate, since: new Date(rate.since) }));
  const roomStartsAt = rates[0]?.since;
  const startsAt = roomStartsAt ?? new Date(sale.salesStartAt);
  if (now < startsAt) {
    if (position === null && roomStartsAt)
      return { kind: 'in-draw', startsAt, people: sale.lastPass - (sale.rates[0]?.before ?? 0) };
    return { kind: 'early', startsAt, opensAt: roomStartsAt ? waitingRoomOpensAt(startsAt) : null };
  }
  if (!roomStartsAt) return { kind: 'open' };
  if (position === null || position === undefined) return { kind: 'arriving' };

  const wasSkipped = returnsAt !== null;
  const called = wasSkipped ? new Date(returnsAt) : calledAt(position, rates);
  const denial = denyTurn(called, now);
  if (denial === 'turn-passed') return { kind: 'passed' };
  if (denial === null) return { kind: 'called', until: turnEndsAt(called) };
  // People already called are no longer ahead.
  const before = wasSkipped ? 0 : Math.max(0, position - 1 - passesCalled(rates, now));
  return { kind: 'waiting', position, before, calledAt: called, wasSkipped };
}

/** Whether tickets can be added to the cart. */
export function mayChoose(stage: SaleStage, now: Date): boolean {
  return stage.kind !== 'early' || now >= selectableFrom(stage.startsAt, stage.opensAt !== null);
}

/** Whether this browser can join the waiting room now. */
export function mayJoin(sale: WaitingRoom, now: Date): boolean {
  const start = sale.rates[0]?.since;
  return start !== undefined && now >= waitingRoomOpensAt(new Date(start));
}
