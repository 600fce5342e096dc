import { alreadyVerified, emailVerified, verificationSent } from '#messages/accounts.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { findVerification, lockUser } from './accounts.sql.ts';
import { removeExpiredLinks } from './email-links.sql.ts';
import { applyEmailLink, sendEmailLink } from './email-links.ts';
import { proveEmail } from './prove-email.ts';

/** False for an account that was deleted. */
export async function isEmailVerified(db: Db, userId: string): Promise<boolean> {
  return (await findVerification(db, userId)) !== null;
}

/** The only emailed link that acts when it is opened: it marks an address as verified and grants nothing by itself. */
export async function verifyEmail(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  { token, ip }: { token: string; ip: string },
): Promise<{ msg: string }> {
  await applyEmailLink(deps, { token, ip, purpose: 'verify-email' }, async (tx, { user, link, now }) => {
    if (user.email.toLowerCase() !== link.email.toLowerCase()) return false;
    await proveEmail(tx, user, now);
    return true;
  });
  return { msg: emailVerified };
}

export async function resendVerification(
  { db, clock, rateLimiter, ...limits }: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret' | 'rateLimitScale'>,
  organizer: Organizer,
): Promise<{ msg: string }> {
  if (organizer.emailVerifiedAt) return { msg: alreadyVerified };

  await consumeLimit(rateLimiter, 'resend-verification', organizer.userId);

  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, organizer.userId);
    if (!user) return;
    await removeExpiredLinks(tx, user.id, clock.now());
    const link = { userId: user.id, email: user.email, purpose: 'verify-email', now: clock.now() } as const;
    await sendEmailLink(tx, limits, link);
  });
  return { msg: verificationSent };
}
