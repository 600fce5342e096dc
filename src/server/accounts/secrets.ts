/** Secrets that leave the product once, in a cookie or a mail, and of which only a hash is kept. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, safe in a link. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A fast hash is enough: nobody guesses 256 random bits. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
