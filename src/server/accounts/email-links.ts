import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { lockUser } from './accounts.sql.ts';
import { addEmailLink, findLinkUser, type LinkPurpose, lockLink, markLinkUsed } from './email-links.sql.ts';
import { hashSecret, newSecret } from './passwords.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Long enough for a delayed email. A password reset link is short-lived because it gives access to the account. */
export const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS / 2,
  'change-email': 24 * HOUR_MS,
  'undo-email-change': 72 * HOUR_MS,
};

/** Only the hash of `token` is stored, so this is the only chance to email it. `subjectId` identifies the link in the outbox. */
export async function createEmailLink(
  tx: Db,
  link: { userId: string; email: string; purpose: LinkPurpose; now: Date },
): Promise<{ token: string; subjectId: string }> {
  const { userId, email, purpose, now } = link;
  const token = newSecret();
  const tokenHash = hashSecret(token);
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS[purpose]);
  await addEmailLink(tx, { tokenHash, userId, purpose, email, createdAt: now, expiresAt, usedAt: null });
  return { token, subjectId: tokenHash.toString('hex') };
}

export interface OpenedLink {
  user: NonNullable<Awaited<ReturnType<typeof lockUser>>>;
  link: NonNullable<Awaited<ReturnType<typeof lockLink>>>;
  now: Date;
}

/**
 * Applies an emailed link. `apply` returns false if the link has no effect any more. Repeatable until the link expires: people
 * click twice and reload, and mail scanners open links before people do.
 */
export async function applyEmailLink(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  { token, ip, purpose }: { token: string; ip: string; purpose: Exclude<LinkPurpose, 'reset-password'> },
  apply: (tx: Db, opened: OpenedLink) => Promise<boolean>,
): Promise<void> {
  const tokenHash = hashSecret(token);
  const isApplied = await inTransaction(db, async (tx) => {
    const now = clock.now();
    const userId = await findLinkUser(tx, tokenHash, [purpose], now);
    // User before link, the lock order everywhere. The link may be gone by now, so it is read again.
    const user = userId && (await lockUser(tx, userId));
    const link = user && (await lockLink(tx, tokenHash, now));
    if (!link) return false;
    await markLinkUsed(tx, tokenHash, now);
    return apply(tx, { user, link, now });
  });
  if (isApplied) return;

  await consumeLimit(rateLimiter, 'emailed-link', ip);
  throw new AppError(purpose === 'verify-email' ? 'email-verification.unknown-token' : 'email-change.unknown-token');
}
