/** Ids that the product makes. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import {
  AFFILIATE_CODE_LENGTH,
  ATTENDANT_CODE_LENGTH,
  CODE_ALPHABET,
  CONFIRMATION_NUMBER_LIMIT,
  SMALLEST_CONFIRMATION_NUMBER,
} from '#domain/codes.ts';

/** A UUID of version 7 (RFC 9562): the time in milliseconds first, so that rows made together lie together. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // A random UUID has its variant, and its random bits, in the same places.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Where a walk through a table in the order of its ids begins. */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** What `newEventId` makes: whatever looks otherwise needs not be looked up. */
export const EVENT_ID = /^[\w-]{16}$/;

/** 16 URL-safe characters, 96 random bits: the event's public id. */
export function newEventId(): string {
  return randomBytes(12).toString('base64url');
}

export function newAttendantCode(): string {
  return newCode(ATTENDANT_CODE_LENGTH);
}

export function newAffiliateCode(): string {
  return newCode(AFFILIATE_CODE_LENGTH);
}

function newCode(length: number): string {
  return Array.from({ length }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}

export function newConfirmationNumber(): string {
  return String(randomInt(SMALLEST_CONFIRMATION_NUMBER, CONFIRMATION_NUMBER_LIMIT));
}
