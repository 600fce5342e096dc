import { randomBytes } from 'node:crypto';
import { RECOVERY_CODE_LENGTH, RECOVERY_CODES } from '#domain/accounts/factors.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import type { Db } from '#server/platform/database.ts';
import { replaceRecoveryCodes } from './factors.sql.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Replaces the codes; the old ones stop working. Each new one is shown once: only hashes are stored. */
export async function renewRecoveryCodes(tx: Db, userId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await replaceRecoveryCodes(tx, userId, { hashes: codes.map(hashSecret), createdAt: now });
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code);
}

/** Five bits of each byte choose a letter, so all letters are equally likely. */
const newCode = () => [...randomBytes(RECOVERY_CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
