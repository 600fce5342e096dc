/** What a waiting buyer shows to be told of their order: which it is and where it stands, signed, so that nobody can guess another's. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { OrderRef } from './checkout.sql.ts';

export interface Held extends OrderRef {
  place: number;
}

const HANDLE = /^([\w-]{1,64})\.([0-9a-f-]{36})\.(\d{1,15})\.([\w-]{43})$/;

export function sealHandle({ appSecret }: Pick<Deps, 'appSecret'>, { eventId, orderId, place }: Held): string {
  const body = `${eventId}.${orderId}.${place}`;
  return `${body}.${signatureOf(body, appSecret)}`;
}

export function openHandle({ appSecret }: Pick<Deps, 'appSecret'>, handle: string): Held | null {
  const [, eventId, orderId, place, signature] = HANDLE.exec(handle) ?? [];
  if (eventId === undefined || orderId === undefined || signature === undefined) return null;
  const expected = Buffer.from(signatureOf(`${eventId}.${orderId}.${place}`, appSecret));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return { eventId, orderId, place: Number(place) };
}

function signatureOf(body: string, appSecret: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'held tickets')).update(body).digest('base64url');
}
