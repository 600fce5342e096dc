import { alreadyVerified, verificationSent } from '#contract/accounts.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { removeExpiredLinks } from './email-links.sql.ts';
import { makeEmailLink } from './email-links.ts';

/** Makes a link and queues its mail in the transaction that was begun: no link without a mail, no mail without a link. */
export async function sendVerification(tx: Db, { userId, email }: { userId: string; email: string }, now: Date) {
  const { token, subjectId } = await makeEmailLink(tx, { userId, email, purpose: 'verify-email', now });
  await queueEmail(tx, {
    kind: 'verify-email',
    subjectId,
    params: { token },
    toAddress: email,
    accountId: userId,
    now,
  });
}

/** Mails a new link. Older ones stay good until they expire: the mails may arrive in any order. */
export async function resendVerification(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  organizer: Organizer,
): Promise<{ msg: string }> {
  if (organizer.emailVerifiedAt) return { msg: alreadyVerified };

  await consumeLimit(tries, 'resend-verification', organizer.userId);

  await inTransaction(db, async (tx) => {
    await removeExpiredLinks(tx, organizer.userId, clock.now());
    await sendVerification(tx, organizer, clock.now());
  });
  return { msg: verificationSent };
}
