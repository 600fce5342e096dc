/** A code that is emailed. It is derived from its subject's ID under a key outside the database, which has no copy. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type AppSecret, deriveKey, eachSecret } from '#server/platform/secrets.ts';

const DIGITS = 6;

export function emailedCode(appSecret: AppSecret, subjectId: string): string {
  const hash = createHmac('sha256', deriveKey(appSecret, 'emailed login code')).update(subjectId).digest();
  return String(hash.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function isEmailedCode(appSecret: AppSecret, subjectId: string, typed: string): boolean {
  const given = Buffer.from(typed.replace(/\s/g, ''));
  return eachSecret(appSecret).some((secret) => {
    const code = Buffer.from(emailedCode(secret, subjectId));
    return code.length === given.length && timingSafeEqual(code, given);
  });
}
