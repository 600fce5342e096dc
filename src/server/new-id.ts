/** Ids that the product makes. */
import { randomBytes, randomInt } from 'node:crypto';
import {
  AFFILIATE_CODE_LENGTH,
  ATTENDANT_CODE_LENGTH,
  CODE_ALPHABET,
  CONFIRMATION_NUMBER_LIMIT,
  SMALLEST_CONFIRMATION_NUMBER,
} from '#domain/codes.ts';

/** A UUID of version 7 (RFC 9562): the time in milliseconds first, so that rows made together lie together. */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

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
