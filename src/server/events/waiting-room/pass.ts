/**
 * A place in a waiting room: the signed statement that this browser was the n-th to come. It lives in a cookie that the page cannot
 * read, so that all tabs share it and no script can take it away; and in no table, so that a room costs the same however full it is.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { shuffledPosition } from '#domain/waiting-room.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import type { WaitingRoomState } from './read-sale.ts';

export interface Pass {
  eventId: string;
  arrival: number;
}

/** A cookie has room for a few; whoever waits at more doors than that loses the oldest. */
const PASSES_PER_BROWSER = 5;
const PASS = /^([\w-]{16})\.(\d{1,15})\.([\w-]{43})$/;

export function passIn(
  cookie: string | undefined,
  { eventId, room }: { eventId: string; room: WaitingRoomState },
  appSecret: string,
): Pass | null {
  const places = passesIn(cookie, appSecret);
  return places.find((place) => place.eventId === eventId && place.arrival > lastVoid(room)) ?? null;
}

/** The cookie with a new place in it, instead of the one for the same event. */
export function withPass(cookie: string | undefined, place: Pass, appSecret: string): string {
  const others = passesIn(cookie, appSecret).filter(({ eventId }) => eventId !== place.eventId);
  return [place, ...others]
    .slice(0, PASSES_PER_BROWSER)
    .map(({ eventId, arrival }) => `${eventId}.${arrival}.${signature(appSecret, `${eventId}.${arrival}`)}`)
    .join('~');
}

/** The number by which the place is called; null while the draw is still to come. */
export function numberOf({ eventId, arrival }: Pass, room: WaitingRoomState, appSecret: string): number | null {
  if (room.early === null) return null;
  if (arrival > room.early) return arrival;
  const key = keyOf(appSecret, 'draw');
  const before = lastVoid(room);
  const drawn = shuffledPosition(arrival - before, room.early - before, (round, value) =>
    createHmac('sha256', key).update(`${eventId} ${round} ${value}`).digest().readUInt32BE(),
  );
  return before + drawn;
}

/** Numbers up to this one were given before the start was moved, and count no more. */
const lastVoid = ({ paces }: WaitingRoomState) => paces[0]?.before ?? 0;

/** One place is one cart: another tab, or a copy of the cookie, replaces its hold instead of making a second one. */
export function cartOf({ eventId, arrival }: Pass, appSecret: string): string {
  const hash = createHmac('sha256', keyOf(appSecret, 'cart')).update(`${eventId}.${arrival}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function passesIn(cookie: string | undefined, appSecret: string): Pass[] {
  return (cookie ?? '').split('~', PASSES_PER_BROWSER).flatMap((text) => {
    const [, eventId = '', arrival = '', given = ''] = PASS.exec(text) ?? [];
    if (given === '') return [];
    const expected = signature(appSecret, `${eventId}.${arrival}`);
    return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? [{ eventId, arrival: Number(arrival) }] : [];
  });
}

const signature = (appSecret: string, text: string) =>
  createHmac('sha256', keyOf(appSecret, 'place')).update(text).digest('base64url');

const keyOf = (appSecret: string, purpose: 'place' | 'draw' | 'cart') =>
  deriveKey(appSecret, `waiting room ${purpose}`);
