/** Identifies the caller. Cookies carry no authority: every request checks the session row. */

import { timingSafeEqual } from 'node:crypto';
import { REAUTHENTICATION_MINUTES } from '#domain/accounts/roles.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Organizer } from '#server/platform/http/callers.ts';
import type { Credentials } from '#server/platform/http/cookies.ts';
import { hashSecret } from './passwords.ts';
import { readSessionToken } from './session-token.ts';
import { findSession, touchSession } from './sessions.sql.ts';

/** More than a browser has by accident. Each costs a query. */
const TOKENS_MAX = 3;
const MINUTE_MS = 60_000;
const IDLE_LIMIT_MS = 60 * MINUTE_MS;

export async function authenticate(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  { tokens, binding, isFromBrowser }: Credentials,
): Promise<Organizer | null> {
  // A neighboring site can plant a second cookie of the same name.
  for (const token of tokens.slice(0, TOKENS_MAX)) {
    const organizer = await readSession({ db, clock, appSecret }, token, { binding, isFromBrowser });
    if (organizer) return organizer;
  }
  return null;
}

async function readSession(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  token: string,
  { binding, isFromBrowser }: Omit<Credentials, 'tokens'>,
): Promise<Organizer | null> {
  const now = clock.now();
  const sessionId = await readSessionToken(appSecret, token, now);
  const session = sessionId && (await findSession(db, sessionId));
  if (!session) return null;

  const { bindingHash, lastSeenAt, reauthenticatedAt, expiresAt, actingUntil, viewedId, viewedName, ...stored } =
    session;
  const { hasFactor, requiresFactor, ...own } = stored;
  const idleFor = now.getTime() - lastSeenAt.getTime();
  if (now >= expiresAt || idleFor >= IDLE_LIMIT_MS) return null;
  // The token of an API client is no session in a browser, where someone else may have planted it.
  if (bindingHash ? !isBoundTo(bindingHash, binding) : isFromBrowser || binding !== undefined) return null;

  // Recorded at most once a minute, to avoid a write on every request.
  if (idleFor >= MINUTE_MS) await touchSession(db, own.sessionId, now);
  const isReauthenticated = now.getTime() - reauthenticatedAt.getTime() < REAUTHENTICATION_MINUTES * MINUTE_MS;
  const organizer = {
    ...own,
    isReauthenticated,
    isBound: bindingHash !== null,
    viewingUntil: null,
    hasFactor: Boolean(hasFactor),
    organizationRequiresFactor: requiresFactor,
    lacksFactor: requiresFactor && !hasFactor,
    scopes: null,
  };
  if (!own.isAdmin || !viewedId || !actingUntil || now >= actingUntil) return organizer;
  // Sees what an owner sees. Downloads of personal data ask for the password, which never counts here.
  const viewed = { organizationId: viewedId, organizationName: viewedName, role: 'owner', onlyEventIds: null } as const;
  return { ...organizer, ...viewed, isReauthenticated: false, viewingUntil: actingUntil };
}

function isBoundTo(bindingHash: Buffer, binding: string | undefined): boolean {
  return binding !== undefined && timingSafeEqual(bindingHash, hashSecret(binding));
}
