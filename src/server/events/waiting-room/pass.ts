/**
 * Waiting-room pass: a signed statement that this browser was the n-th to arrive. It is stored only in an HttpOnly
 * cookie, so all tabs share it, no script can steal it, and a full room costs no more than an empty one.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PublicDraw } from '#contract/app/waiting-room.ts';
import { arrivalAt, calledAt, type QueueRate, type RoundFunction, shuffledPosition } from '#domain/waiting-room.ts';
import { type AppSecret, deriveKey, eachSecret } from '#server/platform/secrets.ts';

export interface Pass {
  eventId: string;
  arrival: number;
  /** The secret that signed the pass. Its cart is derived from it too, which a new secret must not change. */
  secret: AppSecret;
}

export interface WaitingRoomState {
  rates: QueueRate[];
  /** Number of arrivals before the start; `null` until the draw. */
  drawSize: number | null;
  /** The secret under which the room opened, so that a new one changes neither the draw nor its published hash. */
  drawSecret: AppSecret;
  /** Since when sales are paused; null while they are open. */
  pausedAt: Date | null;
}

/** Limited by the cookie's size. The oldest pass is dropped. */
const PASSES_PER_BROWSER = 5;
const PASS = /^([\w-]{16})\.(\d{1,15})\.([\w-]{43})$/;

export function findPass(
  cookie: string | undefined,
  { eventId, room }: { eventId: string; room: WaitingRoomState },
  appSecret: AppSecret,
): Pass | null {
  const passes = parsePasses(cookie, appSecret);
  return passes.find((pass) => pass.eventId === eventId && pass.arrival > lastVoidPosition(room)) ?? null;
}

/** A pass for the next arrival, signed with the first secret. */
export const newPass = (appSecret: AppSecret, eventId: string, arrival: number): Pass => ({
  eventId,
  arrival,
  secret: [appSecret[0]],
});

/** Returns the cookie with the pass added, replacing any pass for the same event. */
export function addPass(cookie: string | undefined, pass: Pass, appSecret: AppSecret): string {
  const others = parsePasses(cookie, appSecret).filter(({ eventId }) => eventId !== pass.eventId);
  return [pass, ...others]
    .slice(0, PASSES_PER_BROWSER)
    .map(({ eventId, arrival, secret }) => `${eventId}.${arrival}.${signature(secret, `${eventId}.${arrival}`)}`)
    .join('~');
}

/** The position at which the pass is called; `null` until the draw. */
export function positionOf({ eventId, arrival }: Pass, room: WaitingRoomState): number | null {
  if (room.drawSize === null) return null;
  if (arrival > room.drawSize) return arrival;
  const offset = lastVoidPosition(room);
  return offset + shuffledPosition(arrival - offset, room.drawSize - offset, drawnBy(eventId, room));
}

/** The pass that has a position. */
export function arrivalOf(eventId: string, position: number, room: WaitingRoomState): number {
  const offset = lastVoidPosition(room);
  if (room.drawSize === null || position > room.drawSize || position <= offset) return position;
  return offset + arrivalAt(position - offset, room.drawSize - offset, drawnBy(eventId, room));
}

function drawnBy(eventId: string, room: WaitingRoomState): RoundFunction {
  const key = drawKey(eventId, room);
  return (round, value) => createHmac('sha256', key).update(`${round} ${value}`).digest().readUInt32BE();
}

/** The hash binds us to the key before the start. The key is public once every drawn pass has come up: then it helps no one to cheat. */
export function publicDraw(eventId: string, room: WaitingRoomState, now: Date): PublicDraw {
  const key = drawKey(eventId, room);
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
function drawKey(eventId: string, { rates, drawSecret }: WaitingRoomState): Buffer {
  const draw = `${eventId} ${rates[0]?.before} ${rates[0]?.since.toISOString()}`;
  return createHmac('sha256', keyFor(drawSecret, 'draw')).update(draw).digest();
}

/** Names a secret in the room's row, and tells nothing about it. */
export const drawSecretId = (secret: AppSecret): Buffer =>
  createHmac('sha256', keyFor(secret, 'draw')).update('name').digest().subarray(0, 16);

/** The secret that the room's row names; the first one if it is gone. */
export const drawSecretOf = (appSecret: AppSecret, id: Buffer | null): AppSecret =>
  eachSecret(appSecret).find((secret) => id !== null && drawSecretId(secret).equals(id)) ?? [appSecret[0]];

/** Passes up to this arrival were issued before the start was moved, and are void. */
const lastVoidPosition = ({ rates }: WaitingRoomState) => rates[0]?.before ?? 0;

/** One cart per pass: another tab, or a copy of the cookie, replaces its reservation instead of adding one. */
export function cartIdOf({ eventId, arrival, secret }: Pass): string {
  const hash = createHmac('sha256', keyFor(secret, 'cart')).update(`${eventId}.${arrival}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function parsePasses(cookie: string | undefined, appSecret: AppSecret): Pass[] {
  return (cookie ?? '').split('~', PASSES_PER_BROWSER).flatMap((text) => {
    const [, eventId = '', arrival = '', mac = ''] = PASS.exec(text) ?? [];
    if (mac === '') return [];
    const secret = eachSecret(appSecret).find((one) =>
      timingSafeEqual(Buffer.from(mac), Buffer.from(signature(one, `${eventId}.${arrival}`))),
    );
    return secret ? [{ eventId, arrival: Number(arrival), secret }] : [];
  });
}

const signature = (appSecret: AppSecret, text: string) =>
  createHmac('sha256', keyFor(appSecret, 'place')).update(text).digest('base64url');

const keyFor = (appSecret: AppSecret, purpose: 'place' | 'draw' | 'cart') =>
  deriveKey(appSecret, `waiting room ${purpose}`);
