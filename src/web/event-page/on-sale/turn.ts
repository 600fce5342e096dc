/** Where a buyer stands before a sale, worked out from what everyone is told and the browser's own place. */
import type { WaitingRoom } from '#contract/waiting-room.ts';
import {
  calledAt,
  denyTurn,
  passesCalled,
  selectableFrom,
  turnEndsAt,
  waitingRoomOpensAt,
} from '#domain/waiting-room.ts';

export type Turn =
  /** Nobody can buy yet; `opensAt` is when the waiting room opens, null where there is none. */
  | { is: 'early'; startsAt: Date; opensAt: Date | null }
  /** In the waiting room before the start, to be drawn. */
  | { is: 'in-draw'; startsAt: Date; people: number }
  /** The sale has started and the browser's place is not known yet. */
  | { is: 'arriving' }
  | { is: 'waiting'; place: number; before: number; calledAt: Date }
  | { is: 'called'; until: Date }
  | { is: 'passed' }
  /** Sales have started, and nobody waits for a turn. */
  | { is: 'open' };

/** @param place undefined while there is none, null while it takes part in the draw */
export function turnOf(sale: WaitingRoom, place: number | null | undefined, now: Date): Turn {
  const paces = sale.paces.map((pace) => ({ ...pace, since: new Date(pace.since) }));
  const roomStartsAt = paces[0]?.since;
  const startsAt = roomStartsAt ?? new Date(sale.salesStartAt);
  if (now < startsAt) {
    if (place === null && roomStartsAt)
      return { is: 'in-draw', startsAt, people: sale.given - (sale.paces[0]?.before ?? 0) };
    return { is: 'early', startsAt, opensAt: roomStartsAt ? waitingRoomOpensAt(startsAt) : null };
  }
  if (!roomStartsAt) return { is: 'open' };
  if (place === null || place === undefined) return { is: 'arriving' };

  const called = calledAt(place, paces);
  const obstacle = denyTurn(called, now);
  if (obstacle === 'turn-passed') return { is: 'passed' };
  if (obstacle === null) return { is: 'called', until: turnEndsAt(called) };
  // Whoever is being called at this moment is before us; nobody else who is called still is.
  const before = Math.max(0, place - 1 - passesCalled(paces, now));
  return { is: 'waiting', place, before, calledAt: called };
}

/** Whether tickets may be put into the cart. */
export function mayChoose(turn: Turn, now: Date): boolean {
  return turn.is !== 'early' || now >= selectableFrom(turn.startsAt, turn.opensAt !== null);
}

/** Whether this browser may take a place now. */
export function mayJoin(sale: WaitingRoom, now: Date): boolean {
  const start = sale.paces[0]?.since;
  return start !== undefined && now >= waitingRoomOpensAt(new Date(start));
}
