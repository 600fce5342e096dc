import { changeLinkSent } from '#messages/accounts.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { isEmailTaken, lockUser } from './accounts.sql.ts';
import { removeLinks } from './email-links.sql.ts';
import { createEmailLink } from './email-links.ts';

/**
 * Emails a confirmation link to the new address, and a link that stops or undoes the change to the old one.
 * Nothing changes until the confirmation link is opened.
 */
export async function changeEmail(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  organizer: Organizer,
  { newEmail, honeypot }: { newEmail: string; honeypot?: string | undefined },
): Promise<{ msg: string }> {
  if (!honeypot) {
    await consumeLimit(rateLimiter, 'change-email', organizer.userId);
    await inTransaction(db, (tx) => sendLinks(tx, organizer.userId, newEmail, clock.now()));
  }
  return { msg: changeLinkSent };
}

async function sendLinks(tx: Db, userId: string, newEmail: string, now: Date) {
  const user = await lockUser(tx, userId);
  if (!user || user.email.toLowerCase() === newEmail.toLowerCase()) return;

  const undo = await createEmailLink(tx, { userId, email: user.email, purpose: 'undo-email-change', now });
  await queueEmail(tx, {
    kind: 'email-change-alert',
    subjectId: undo.subjectId,
    params: { token: undo.token, newEmail },
    toAddress: user.email,
    accountId: userId,
    now,
  });

  await removeLinks(tx, userId, ['change-email']);
  // Neither the response nor the email to the old address reveals whether the new one is taken.
  if (await isEmailTaken(tx, newEmail, { now, exceptBy: userId })) return;
  const { token, subjectId } = await createEmailLink(tx, { userId, email: newEmail, purpose: 'change-email', now });
  const confirmation = { kind: 'confirm-new-email', subjectId, params: { token }, accountId: userId } as const;
  await queueEmail(tx, { ...confirmation, toAddress: newEmail, now });
}
