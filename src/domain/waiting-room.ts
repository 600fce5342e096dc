/**
 * The waiting room of an event with a scheduled on-sale. Every buyer has a position, counted from 1, and positions are
 * called in order at the organizer's rate. The position alone determines when it is called, so servers and browsers
 * compute it without coordination.
 */

/** Buyers who arrive during this time before the start get random positions. */
export const WAITING_ROOM_MINUTES = 60;
/** How long a called buyer has to open the checkout. */
const TURN_LASTS_MINUTES = 10;
export const BUYERS_PER_MINUTE_DEFAULT = 300;

const MINUTE = 60_000;

/** From `since` on, the positions after `before` are called, `perMinute` of them a minute. All earlier ones have been called by then. */
export interface QueueRate {
  before: number;
  since: Date;
  perMinute: number;
}

/** When the position may start buying. `rates` are in chronological order. */
export function calledAt(position: number, rates: readonly QueueRate[]): Date {
  const index = Math.max(
    0,
    rates.findLastIndex(({ before }) => position > before),
  );
  const [rate, next] = rates.slice(index);
  if (!rate) throw new RangeError('a waiting room needs a rate');
  // Rounded up, so that `passesCalled` counts the position at this instant.
  const called = rate.since.getTime() + Math.ceil(((position - rate.before - 1) * MINUTE) / rate.perMinute);
  // A rate between the two may have been pruned; under it, the position was called before `next` started.
  return new Date(Math.min(called, next?.since.getTime() ?? Infinity));
}

/** How many positions have been called by `now`. */
export function passesCalled(rates: readonly QueueRate[], now: Date): number {
  const index = rates.findLastIndex(({ since }) => since <= now);
  const [rate, next] = rates.slice(Math.max(0, index));
  if (!rate || index < 0) return 0;
  const count = Math.floor(((now.getTime() - rate.since.getTime()) * rate.perMinute) / MINUTE) + 1;
  // While skipped passes that came back take their turns, no position is called.
  return Math.min(rate.before + count, next?.before ?? Infinity);
}

/** A pass is present if its page polled within this time before its position comes up. */
export const PRESENCE_MINUTES = 2;
/** How many absent passes are skipped at a time: of a drawn one, the arrival takes a quarter of a millisecond to compute. */
const SKIPS_AT_ONCE = 500;

interface Advance {
  /** All positions up to here were checked. */
  checked: number;
  /** Called by the rate until now. */
  called: number;
  lastPass: number;
}

/**
 * Checks the positions that the rate has called since the last time. Absent ones are skipped, and the same number of present ones
 * behind them comes up instead.
 */
export function skipAbsent(
  { checked, called, lastPass }: Advance,
  isPresent: (position: number) => boolean,
): { through: number; skipped: number[] } {
  const skipped: number[] = [];
  let through = checked;
  let unused = 0;
  while (through < lastPass && (through < called || unused > 0) && skipped.length < SKIPS_AT_ONCE) {
    through += 1;
    const isThere = isPresent(through);
    if (!isThere) skipped.push(through);
    if (through <= called && !isThere) unused += 1;
    if (through > called && isThere) unused -= 1;
  }
  return { through, skipped };
}

/** The rate by which all positions up to `through` have been called, and the next one comes up when the next one would have. */
export function rateAfterSkips(through: number, rates: readonly QueueRate[], now: Date): QueueRate {
  const { perMinute } = lastOf(rates);
  const next = calledAt(passesCalled(rates, now) + 1, rates);
  const since = new Date(Math.min(now.getTime(), Math.floor(next.getTime() - MINUTE / perMinute)));
  return { before: through - 1, since, perMinute };
}

/** A pass that was skipped takes the next position's turn, and each position waits for one turn more. */
export function rateAfterReturn(rates: readonly QueueRate[], now: Date): { returnsAt: Date; rate: QueueRate } {
  const { perMinute } = lastOf(rates);
  const before = passesCalled(rates, now);
  const returnsAt = calledAt(before + 1, rates);
  return {
    returnsAt,
    rate: { before, since: new Date(returnsAt.getTime() + Math.ceil(MINUTE / perMinute)), perMinute },
  };
}

/** Entries closer together become one: of a position, it then counts as called by the next one. */
const RATES_APART_MS = 40_000;

/** The rates with one more. Future ones are replaced, and a position that was called stays called. */
export function withRate(rates: readonly QueueRate[], rate: QueueRate, now: Date): QueueRate[] {
  const past = rates.filter(({ since }) => since <= now);
  const called = passesCalled(rates, now);
  if (rate.since > now && called > 0) past.push({ ...rate, before: called - 1, since: calledAt(called, rates) });
  const kept: QueueRate[] = [];
  for (const [index, one] of past.entries()) {
    const last = kept.at(-1);
    const isApart = !last || one.since.getTime() - last.since.getTime() >= RATES_APART_MS;
    if (isApart || index === past.length - 1) kept.push(one);
  }
  return [...kept, rate];
}

function lastOf(rates: readonly QueueRate[]): QueueRate {
  const last = rates.at(-1);
  if (!last) throw new RangeError('a waiting room needs a rate');
  return last;
}

/** The room's own time, which stands still while sales are paused. */
export const roomTime = (now: Date, pausedAt: Date | null): Date => (pausedAt && pausedAt < now ? pausedAt : now);

/**
 * How many positions had their whole turn before the pause. The others are called again when sales resume, in the same order:
 * a pause costs nobody a turn.
 */
export function turnsOver(rates: readonly QueueRate[], pausedAt: Date): number {
  const called = passesCalled(rates, turnStartedAfter(pausedAt));
  return Math.max(called, rates[0]?.before ?? 0);
}

/** Turns that began after this have not ended. */
export const turnStartedAfter = (now: Date) => new Date(now.getTime() - TURN_LASTS_MINUTES * MINUTE);

export type TurnDenial = 'not-your-turn' | 'turn-passed';

export function denyTurn(called: Date, now: Date): TurnDenial | null {
  if (now < called) return 'not-your-turn';
  return now >= turnEndsAt(called) ? 'turn-passed' : null;
}

export const turnEndsAt = (called: Date) => new Date(called.getTime() + TURN_LASTS_MINUTES * MINUTE);

export const waitingRoomOpensAt = (salesStartAt: Date) =>
  new Date(salesStartAt.getTime() - WAITING_ROOM_MINUTES * MINUTE);

/** When buyers can start choosing tickets: with a waiting room, they fill their carts while they wait. */
export const selectableFrom = (salesStartAt: Date, hasWaitingRoom: boolean) =>
  hasWaitingRoom ? waitingRoomOpensAt(salesStartAt) : salesStartAt;

/** Keyed Feistel round function: 32 bits that are unpredictable without the key. */
export type RoundFunction = (round: number, value: number) => number;

const ROUNDS = 8;

/**
 * Maps the `arrival`-th of `early` buyers who came before the start to a random position. The mapping is a permutation:
 * no two arrivals share a position, and it is unpredictable without the key.
 *
 * A Feistel network over the next power of four, with cycle walking: the shuffle needs no list of buyers.
 */
export function shuffledPosition(arrival: number, early: number, scramble: RoundFunction): number {
  const shuffle = shuffleSteps(arrival, early);
  let step = shuffle.next();
  while (!step.done) step = shuffle.next(scramble(...step.value));
  return step.value;
}

/** The arrival that has a position: the inverse of `shuffledPosition`. */
export function arrivalAt(position: number, early: number, scramble: RoundFunction): number {
  const { halfBits, mask } = halves(early);
  let value = position - 1;
  do {
    let left = Math.floor(value / 2 ** halfBits);
    let right = value & mask;
    for (let round = ROUNDS - 1; round >= 0; round--) [left, right] = [(right ^ scramble(round, left)) & mask, left];
    value = left * 2 ** halfBits + right;
  } while (value >= early);
  return value + 1;
}

function halves(early: number) {
  const halfBits = Math.max(1, Math.ceil(Math.log2(Math.max(2, early)) / 2));
  return { halfBits, mask: 2 ** halfBits - 1 };
}

/** `shuffledPosition` step by step: asks for each round's scrambled value, because a browser's keyed hash answers later. */
export function* shuffleSteps(
  arrival: number,
  early: number,
): Generator<[round: number, value: number], number, number> {
  const { halfBits, mask } = halves(early);
  let value = arrival - 1;
  do {
    let left = value >>> halfBits;
    let right = value & mask;
    for (let round = 0; round < ROUNDS; round++) [left, right] = [right, (left ^ (yield [round, right])) & mask];
    value = left * 2 ** halfBits + right;
  } while (value >= early);
  return value + 1;
}
