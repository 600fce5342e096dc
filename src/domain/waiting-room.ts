/**
 * The waiting room of an event whose sale has a declared start. Everyone in it has a place, counted from 1, and places are
 * called one after the other at the pace that the organizer chose. When a place is called follows from its number alone, so
 * every server and every browser can work it out, and none has to be told.
 */

/** Whoever opens the page this long before the start takes part in the draw. */
export const ROOM_OPENS_MINUTES = 60;
/** How long a place that was called may open its checkout. */
const TURN_MINUTES = 10;
export const BUYERS_PER_MINUTE_DEFAULT = 300;
/** What the card company opens payment pages for, at most. */
export const BUYERS_PER_MINUTE_MAX = 6_000;

const MINUTE = 60_000;

/** From `since` on, the places after `before` are called, `perMinute` of them a minute. By then all up to it have been called. */
export interface QueueRate {
  before: number;
  since: Date;
  perMinute: number;
}

/** The instant from which a place may buy. `paces` are in the order of time. */
export function calledAt(place: number, paces: readonly QueueRate[]): Date {
  const index = Math.max(
    0,
    paces.findLastIndex(({ before }) => place > before),
  );
  const [pace, next] = paces.slice(index);
  if (!pace) throw new RangeError('a waiting room has a pace');
  // Rounded up, so that whoever is called by this instant is also counted by it.
  const called = pace.since.getTime() + Math.ceil(((place - pace.before - 1) * MINUTE) / pace.perMinute);
  // A pace between the two may have been forgotten, by which the place was called earlier.
  return new Date(Math.min(called, next?.since.getTime() ?? Infinity));
}

/** How many places have been called by `now`. */
export function passesCalled(paces: readonly QueueRate[], now: Date): number {
  const pace = paces.findLast(({ since }) => since <= now);
  return pace ? pace.before + Math.floor(((now.getTime() - pace.since.getTime()) * pace.perMinute) / MINUTE) + 1 : 0;
}

export type TurnDenial = 'not-your-turn' | 'turn-passed';

export function denyTurn(called: Date, now: Date): TurnDenial | null {
  if (now < called) return 'not-your-turn';
  return now >= turnEndsAt(called) ? 'turn-passed' : null;
}

export const turnEndsAt = (called: Date) => new Date(called.getTime() + TURN_MINUTES * MINUTE);

export const roomOpensAt = (salesStartAt: Date) => new Date(salesStartAt.getTime() - ROOM_OPENS_MINUTES * MINUTE);

/** Until then, buyers cannot choose tickets. In an open waiting room they fill their carts while they wait. */
export const choosableFrom = (salesStartAt: Date, hasRoom: boolean) =>
  hasRoom ? roomOpensAt(salesStartAt) : salesStartAt;

/** A number that nobody can foretell who does not know the key: 32 bits made of a round and a value. */
export type Scramble = (round: number, value: number) => number;

const ROUNDS = 8;

/**
 * The place that the draw gives to the `arrival`-th of `early` people who came before the start. Each arrival gets
 * another place, and any order is as likely as any other to whoever does not know the key.
 *
 * A Feistel network over the next power of four, walked until it lands among the places: no list of people is needed,
 * on no server, however many came.
 */
export function drawnPosition(arrival: number, early: number, scramble: Scramble): number {
  const halfBits = Math.max(1, Math.ceil(Math.log2(Math.max(2, early)) / 2));
  let value = arrival - 1;
  do value = scrambled(value, halfBits, scramble);
  while (value >= early);
  return value + 1;
}

function scrambled(value: number, halfBits: number, scramble: Scramble): number {
  const mask = 2 ** halfBits - 1;
  let left = value >>> halfBits;
  let right = value & mask;
  for (let round = 0; round < ROUNDS; round++) [left, right] = [right, (left ^ scramble(round, right)) & mask];
  return left * 2 ** halfBits + right;
}
