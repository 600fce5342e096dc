/** Generates ids and codes. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { AFFILIATE_CODE_LENGTH, ATTENDANT_CODE_LENGTH, CODE_ALPHABET } from '#domain/codes.ts';

/** A version 7 UUID (RFC 9562). It starts with the time in milliseconds, which keeps index inserts local. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Version 4 and version 7 have the variant and the remaining random bits in the same positions.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Start of a keyset pagination over ids. */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** Matches ids of `newPublicId`. Anything else needs no lookup. */
export const PUBLIC_ID = /^[\w-]{16}$/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Other software on the same Stripe account may use order IDs of any form. */
export const isUuid = (id: string): boolean => UUID.test(id);

/** The public id of an event or a series: 96 random bits in 16 URL-safe characters. */
export function newPublicId(): string {
  return randomBytes(12).toString('base64url');
}

export function newAttendantCode(): string {
  return randomCode(ATTENDANT_CODE_LENGTH);
}

export function newAffiliateCode(): string {
  return randomCode(AFFILIATE_CODE_LENGTH);
}

function randomCode(length: number): string {
  return Array.from({ length }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}
