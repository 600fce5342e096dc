/**
 * Waiting-room pass: a signed statement that this browser was the n-th to arrive. It is stored only in an HttpOnly
 * cookie, so all tabs share it, no script can steal it, and a full room costs no more than an empty one.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PublicDraw } from '#contract/app/waiting-room.ts';
import { calledAt, type QueueRate, shuffledPosition } from '#domain/waiting-room.ts';
import { deriveKey } from '#server/platform/secrets.ts';

export interface Pass {
  eventId: string;
  arrival: number;
}

export interface WaitingRoomState {
  rates: QueueRate[];
  /** Number of arrivals before the start; `null` until the draw. */
  drawSize: number | null;
}

/** Limited by the cookie's size. The oldest pass is dropped. */
const PASSES_PER_BROWSER = 5;
const PASS = /^([\w-]{16})\.(\d{1,15})\.([\w-]{43})$/;

export function findPass(
  cookie: string | undefined,
  { eventId, room }: { eventId: string; room: WaitingRoomState },
  appSecret: string,
): Pass | null {
  const passes = parsePasses(cookie, appSecret);
  return passes.find((pass) => pass.eventId === eventId && pass.arrival > lastVoidPosition(room)) ?? null;
}

/** Returns the cookie with the pass added, replacing any pass for the same event. */
export function addPass(cookie: string | undefined, pass: Pass, appSecret: string): string {
  const others = parsePasses(cookie, appSecret).filter(({ eventId }) => eventId !== pass.eventId);
  return [pass, ...others]
    .slice(0, PASSES_PER_BROWSER)
    .map(({ eventId, arrival }) => `${eventId}.${arrival}.${signature(appSecret, `${eventId}.${arrival}`)}`)
    .join('~');
}

/** The position at which the pass is called; `null` until the draw. */
export function positionOf({ eventId, arrival }: Pass, room: WaitingRoomState, appSecret: string): number | null {
  if (room.drawSize === null) return null;
  if (arrival > room.drawSize) return arrival;
  const key = drawKey(eventId, room, appSecret);
  const offset = lastVoidPosition(room);
  const drawnOffset = shuffledPosition(arrival - offset, room.drawSize - offset, (round, value) =>
    createHmac('sha256', key).update(`${round} ${value}`).digest().readUInt32BE(),
  );
  return offset + drawnOffset;
}

/** The hash binds us to the key before the start. The key is public once every drawn pass has come up: then it helps no one to cheat. */
export function publicDraw(eventId: string, room: WaitingRoomState, appSecret: string, now: Date): PublicDraw {
  const key = drawKey(eventId, room, appSecret);
  const before = lastVoidPosition(room);
  const isOver = room.drawSize !== null && (room.drawSize === before || calledAt(room.drawSize, room.rates) <= now);
  return {
    hash: createHash('sha256').update(key).digest('hex'),
    key: isOver ? key.toString('hex') : null,
    before,
    size: room.drawSize === null ? null : room.drawSize - before,
  };
}

/** One key per room and start. It is published, which tells nothing about the key it is derived from. */
function drawKey(eventId: string, { rates }: WaitingRoomState, appSecret: string): Buffer {
  const draw = `${eventId} ${rates[0]?.before} ${rates[0]?.since.toISOString()}`;
  return createHmac('sha256', keyFor(appSecret, 'draw')).update(draw).digest();
}

/** Passes up to this arrival were issued before the start was moved, and are void. */
const lastVoidPosition = ({ rates }: WaitingRoomState) => rates[0]?.before ?? 0;

/** One cart per pass: another tab, or a copy of the cookie, replaces its reservation instead of adding one. */
export function cartIdOf({ eventId, arrival }: Pass, appSecret: string): string {
  const hash = createHmac('sha256', keyFor(appSecret, 'cart')).update(`${eventId}.${arrival}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function parsePasses(cookie: string | undefined, appSecret: string): Pass[] {
  return (cookie ?? '').split('~', PASSES_PER_BROWSER).flatMap((text) => {
    const [, eventId = '', arrival = '', mac = ''] = PASS.exec(text) ?? [];
    if (mac === '') return [];
    const expectedMac = signature(appSecret, `${eventId}.${arrival}`);
    return timingSafeEqual(Buffer.from(mac), Buffer.from(expectedMac)) ? [{ eventId, arrival: Number(arrival) }] : [];
  });
}

const signature = (appSecret: string, text: string) =>
  createHmac('sha256', keyFor(appSecret, 'place')).update(text).digest('base64url');

const keyFor = (appSecret: string, purpose: 'place' | 'draw' | 'cart') =>
  deriveKey(appSecret, `waiting room ${purpose}`);
