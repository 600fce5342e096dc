/** A code that is emailed with a login. It is derived from the login's ID under a key outside the database, which has no copy. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';
import { deriveKey, eachSecret } from '#server/platform/secrets.ts';

const DIGITS = 6;

export function emailedCode(appSecret: Deps['appSecret'], challengeId: string): string {
  const hash = createHmac('sha256', deriveKey(appSecret, 'emailed login code')).update(challengeId).digest();
  return String(hash.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function isEmailedCode(appSecret: Deps['appSecret'], challengeId: string, typed: string): boolean {
  const given = Buffer.from(typed.replace(/\s/g, ''));
  return eachSecret(appSecret).some((secret) => {
    const code = Buffer.from(emailedCode(secret, challengeId));
    return code.length === given.length && timingSafeEqual(code, given);
  });
}
