import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { linkToken, storedLinkToken } from '#server/platform/outbox/link-token.ts';
import { type EmailLimits, queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { lockUser } from './accounts.sql.ts';
import {
  addEmailLink,
  extendLink,
  findLinkUser,
  type LinkPurpose,
  linksTo,
  lockLink,
  markLinkUsed,
} from './email-links.sql.ts';
import { hashSecret } from './passwords.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Long enough for a delayed email. A password reset link is short-lived because it gives access to the account, and outlives the
 * hour in which it is sent three times at most.
 */
export const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS,
  'change-email': 24 * HOUR_MS,
  'undo-email-change': 72 * HOUR_MS,
};

/** From then on a request makes a new link: an old email must not work forever because strangers keep requesting. */
const SENT_AGAIN_MS = 24 * HOUR_MS;

const emailKinds = {
  'verify-email': 'verify-email',
  'reset-password': 'reset-password',
  'change-email': 'confirm-new-email',
} as const satisfies Partial<Record<LinkPurpose, string>>;

interface LinkOrder {
  userId: string;
  email: string;
  purpose: keyof typeof emailKinds;
  now: Date;
}

/**
 * Emails a link, the same one as long as it lives: requests of strangers then leave the link in the owner's inbox working. The
 * caller locks the user.
 */
export async function sendEmailLink(tx: Db, limits: EmailLimits, order: LinkOrder): Promise<void> {
  const { userId, email, purpose, now } = order;
  const createdAfter = new Date(now.getTime() - SENT_AGAIN_MS);
  const living = (await linksTo(tx, { userId, purpose, email, now, createdAfter })).find(
    // A link made under an app secret that is gone can't be sent again.
    (one) => storedLinkToken(limits.appSecret, one.id, one.tokenHash) !== null,
  );
  const link = living ?? (await createEmailLink(tx, limits, order));
  const message = { kind: emailKinds[purpose], subjectId: link.id, toAddress: email, accountId: userId, now };
  // The email says how long the link works from now on.
  if (await queueLimitedEmail(tx, limits, message)) await extendLink(tx, link.tokenHash, expiryOf(purpose, now));
}

/** Stores only the hash of the token. */
export async function createEmailLink(
  tx: Db,
  { appSecret }: Pick<Deps, 'appSecret'>,
  { userId, email, purpose, now }: { userId: string; email: string; purpose: LinkPurpose; now: Date },
): Promise<{ id: string; tokenHash: Buffer }> {
  const id = newId();
  const tokenHash = hashSecret(linkToken(appSecret, id));
  const expiresAt = expiryOf(purpose, now);
  await addEmailLink(tx, { id, tokenHash, userId, purpose, email, createdAt: now, expiresAt, usedAt: null });
  return { id, tokenHash };
}

const expiryOf = (purpose: LinkPurpose, now: Date) => new Date(now.getTime() + LINK_LIFETIME_MS[purpose]);

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
