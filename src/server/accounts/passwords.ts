/** Argon2id, with OWASP's parameters of 2024: 19 MiB, two passes, one lane. */

import { createHash, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { outage } from '#contract/sentences.ts';
import { unavailable } from '#server/platform/app-error.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a password that nobody knows, so that an unknown address takes as long as a wrong password. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$5s8YYPcc2rSGIjc7yZgRqA$JX3s9DM9yZFf+Hb/aG9K21KNBAZctbcfB7P1WjAJClM';

export function hashPassword(password: string): Promise<string> {
  return hashInTurn(() => hash(password, PARAMETERS));
}

/** `null` stands for an account that does not exist: never right, and no faster. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const isRight = await hashInTurn(() => verify(passwordHash ?? NOBODY, password));
  return isRight && passwordHash !== null;
}

const AT_ONCE = 4;
const MAY_WAIT = 200;
let running = 0;
const waiting: (() => void)[] = [];

/** Hashing takes memory and a core, so a crowd at the log-in waits its turn, and a flood is sent away. */
async function hashInTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MAY_WAIT) throw unavailable(outage, 5);
  // A finished piece of work hands its place to the next in line, so `running` only counts new places.
  if (running === AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  else running++;

  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** 256 random bits, safe in a link. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A fast hash is enough: nobody guesses 256 random bits. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
