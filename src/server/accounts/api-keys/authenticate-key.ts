import { timingSafeEqual } from 'node:crypto';
import { isForAllEvents } from '#domain/accounts/roles.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { findKey, touchKey } from './api-keys.sql.ts';
import { readKey } from './key-format.ts';

/** Recorded at most once a minute, to avoid a write on every request. */
const TOUCH_MS = 60_000;

/** Null for what is no key, and for one that was revoked, has expired, or whose maker no longer manages the organization. */
export async function authenticateKey(
  { db, clock, takesRealMoney }: Pick<Deps, 'db' | 'clock' | 'takesRealMoney'>,
  text: string,
): Promise<KeyHolder | null> {
  const parts = readKey(text);
  if (!parts || parts.isLive !== takesRealMoney) return null;
  const key = await findKey(db, parts.id);
  if (!key || !timingSafeEqual(key.secretHash, hashSecret(parts.secret))) return null;
  const now = clock.now();
  if (key.revokedAt || now >= key.expiresAt || !isForAllEvents(key.role)) return null;

  const before = key.lastUsedAt;
  if (!before || now.getTime() - before.getTime() >= TOUCH_MS) await touchKey(db, key.keyId, { at: now, before });
  const { keyId, keyName, userId, organizationId, organizationName, role, scopes, onlyEventIds, emailVerifiedAt } = key;
  return {
    keyId,
    keyName,
    userId,
    organizationId,
    organizationName,
    sessionId: null,
    role,
    scopes,
    onlyEventIds,
    emailVerifiedAt,
    isReauthenticated: false,
    lacksFactor: false,
  };
}
