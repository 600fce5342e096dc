/** Argon2id with OWASP's 2024 parameters: 19 MiB, two iterations, one lane. */

import { createHash, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { outage } from '#contract/messages/requests.ts';
import { unavailable } from '#server/platform/app-error.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MAX_CONCURRENT = 4;
const MAX_WAITING = 200;

/** Verified for an unknown email, so that it takes as long as a wrong password. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$5s8YYPcc2rSGIjc7yZgRqA$JX3s9DM9yZFf+Hb/aG9K21KNBAZctbcfB7P1WjAJClM';

export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password, PARAMETERS));
}

/** `null` stands for an unknown account: always false, but no faster. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const isCorrect = await limitConcurrency(() => verify(passwordHash ?? DUMMY_HASH, password));
  return isCorrect && passwordHash !== null;
}

let running = 0;
const waiting: (() => void)[] = [];

/** Hashing takes memory and a core. Excess work queues, and a flood gets a 503. */
async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MAX_WAITING) throw unavailable(outage, 5);
  // A finished task passes its slot to the next one, so `running` counts only new slots.
  if (running === MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;

  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** 256 random bits, URL-safe. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A fast hash is enough for 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
