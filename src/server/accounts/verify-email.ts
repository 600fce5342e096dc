import { alreadyVerified, verificationSent } from '#messages/accounts.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { removeExpiredLinks } from './email-links.sql.ts';
import { createEmailLink } from './email-links.ts';

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
