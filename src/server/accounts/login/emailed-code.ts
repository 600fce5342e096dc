/** A code that is emailed with a login. It is derived from the login's ID, so that only its hash's key could reveal it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';
import { deriveKey } from '#server/platform/secrets.ts';

const DIGITS = 6;

export function emailedCode(appSecret: Deps['appSecret'], challengeId: string): string {
  const hash = createHmac('sha256', deriveKey(appSecret, 'emailed login code')).update(challengeId).digest();
  return String(hash.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function isEmailedCode(appSecret: Deps['appSecret'], challengeId: string, typed: string): boolean {
  const [code, given] = [emailedCode(appSecret, challengeId), typed.replace(/\s/g, '')].map((one) => Buffer.from(one));
  return code !== undefined && given !== undefined && code.length === given.length && timingSafeEqual(code, given);
}
