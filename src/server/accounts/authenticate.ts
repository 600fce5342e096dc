/** Identifies the caller. Cookies carry no authority: every request checks the session row. */

import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';
import { type Organizer } from '#server/platform/http/callers.ts';
import { findSession, touchSession } from './accounts.sql.ts';
import { hashSecret } from './passwords.ts';
import { readSessionToken } from './session-token.ts';

const MINUTE_MS = 60_000;
const IDLE_LIMIT_MS = 60 * MINUTE_MS;

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
  if (now >= expiresAt || idleFor >= IDLE_LIMIT_MS) return null;
  if (bindingHash && !isBoundTo(bindingHash, binding)) return null;

  // Recorded at most once a minute, to avoid a write on every request.
  if (idleFor >= MINUTE_MS) await touchSession(db, organizer.sessionId, now);
  return { ...organizer, isBound: bindingHash !== null };
}

function isBoundTo(bindingHash: Buffer, binding: string | undefined): boolean {
  return binding !== undefined && timingSafeEqual(bindingHash, hashSecret(binding));
}
