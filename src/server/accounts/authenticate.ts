/** Who is calling. Nothing in a cookie has authority: the session's row decides, at every call and on every server. */

import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';
import { type Organizer } from '#server/platform/http/callers.ts';
import { findSession, touchSession } from './accounts.sql.ts';
import { hashOf } from './passwords.ts';
import { readSessionToken } from './session-token.ts';

const MINUTE = 60_000;
const IDLE_LIMIT = 60 * MINUTE;

export async function authenticate(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  { token, binding }: { token: string | undefined; binding: string | undefined },
): Promise<Organizer | null> {
  if (!token) return null;
  const now = clock.now();
  const sessionId = await readSessionToken(appSecret, token, now);
  const session = sessionId && (await findSession(db, sessionId));
  if (!session) return null;

  const { bindingHash, lastSeenAt, expiresAt, ...organizer } = session;
  const idleFor = now.getTime() - lastSeenAt.getTime();
  if (now >= expiresAt || idleFor >= IDLE_LIMIT) return null;
  if (bindingHash && !isBoundTo(bindingHash, binding)) return null;

  // Once a minute is exact enough, and spares the database a write at every call.
  if (idleFor >= MINUTE) await touchSession(db, organizer.sessionId, now);
  return { ...organizer, isBound: bindingHash !== null };
}

function isBoundTo(bindingHash: Buffer, binding: string | undefined): boolean {
  return binding !== undefined && timingSafeEqual(bindingHash, hashOf(binding));
}
