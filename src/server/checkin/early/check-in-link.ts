/** The link in emails about an early check-in: the check-in's id, signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type AppSecret, deriveKey, eachSecret } from '#server/platform/secrets.ts';

const ID_BYTES = 16;

interface CheckInRef {
  eventId: string;
  checkInId: string;
}

export function checkInToken(appSecret: AppSecret, { eventId, checkInId }: CheckInRef): string {
  const id = Buffer.from(checkInId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, signatureOf(appSecret, eventId, id)]).toString('base64url');
}

/** The check-in's id; null if the signature does not match. */
export function verifyCheckInToken(appSecret: AppSecret, eventId: string, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  const given = bytes.subarray(ID_BYTES);
  const isSigned = eachSecret(appSecret).some((secret) => {
    const expected = signatureOf(secret, eventId, id);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) return null;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** 128 bits, which cannot be guessed. */
function signatureOf(appSecret: AppSecret, eventId: string, id: Uint8Array): Buffer {
  const mac = createHmac('sha256', deriveKey(appSecret, 'early check-in link')).update(`${eventId} `).update(id);
  return mac.digest().subarray(0, 16);
}
