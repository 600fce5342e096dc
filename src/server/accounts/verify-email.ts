import { alreadyVerified, emailVerified, verificationSent } from '#messages/accounts.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { removeExpiredLinks } from './email-links.sql.ts';
import { applyEmailLink, createEmailLink } from './email-links.ts';
import { proveEmail } from './prove-email.ts';

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

/** Creates the link and queues its email in the caller's transaction, so neither exists without the other. */
export async function sendVerification(tx: Db, { userId, email }: { userId: string; email: string }, now: Date) {
  const { token, subjectId } = await createEmailLink(tx, { userId, email, purpose: 'verify-email', now });
  await queueEmail(tx, {
    kind: 'verify-email',
    subjectId,
    params: { token },
    toAddress: email,
    accountId: userId,
    now,
  });
}

/** Older links keep working until they expire, because emails can arrive out of order. */
export async function resendVerification(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  organizer: Organizer,
): Promise<{ msg: string }> {
  if (organizer.emailVerifiedAt) return { msg: alreadyVerified };

  await consumeLimit(rateLimiter, 'resend-verification', organizer.userId);

  await inTransaction(db, async (tx) => {
    await removeExpiredLinks(tx, organizer.userId, clock.now());
    await sendVerification(tx, organizer, clock.now());
  });
  return { msg: verificationSent };
}
