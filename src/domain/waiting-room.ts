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
/** The most payment pages that Stripe opens in a minute. */
export const BUYERS_PER_MINUTE_MAX = 6_000;

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
  const rate = rates.findLast(({ since }) => since <= now);
  return rate ? rate.before + Math.floor(((now.getTime() - rate.since.getTime()) * rate.perMinute) / MINUTE) + 1 : 0;
}

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

/** The same, step by step: asks for each round's scrambled value, because a browser's keyed hash answers later. */
export function* shuffleSteps(
  arrival: number,
  early: number,
): Generator<[round: number, value: number], number, number> {
  const halfBits = Math.max(1, Math.ceil(Math.log2(Math.max(2, early)) / 2));
  const mask = 2 ** halfBits - 1;
  let value = arrival - 1;
  do {
    let left = value >>> halfBits;
    let right = value & mask;
    for (let round = 0; round < ROUNDS; round++) [left, right] = [right, (left ^ (yield [round, right])) & mask];
    value = left * 2 ** halfBits + right;
  } while (value >= early);
  return value + 1;
}
