import { changeLinkSent } from '#contract/accounts.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { isAddressTaken, lockUser } from './accounts.sql.ts';
import { removeLinks } from './email-links.sql.ts';
import { makeEmailLink } from './email-links.ts';

/**
 * Mails a link to the new address, and to the old one a notice with a link that stops the change or takes it back.
 * Nothing changes until the first link is opened.
 */
export async function changeEmail(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  organizer: Organizer,
  { newEmail, honeypot }: { newEmail: string; honeypot?: string | undefined },
): Promise<{ msg: string }> {
  if (!honeypot) {
    await consumeLimit(tries, 'change-email', organizer.userId);
    await inTransaction(db, (tx) => sendLinks(tx, organizer.userId, newEmail, clock.now()));
  }
  return { msg: changeLinkSent };
}

async function sendLinks(tx: Db, userId: string, newEmail: string, now: Date) {
  const user = await lockUser(tx, userId);
  if (!user || user.email.toLowerCase() === newEmail.toLowerCase()) return;

  const undo = await makeEmailLink(tx, { userId, email: user.email, purpose: 'undo-email-change', now });
  const noticeParams = { token: undo.token, newEmail };
  await queueEmail(tx, {
    kind: 'email-change-notice',
    subjectId: undo.subjectId,
    params: noticeParams,
    toAddress: user.email,
    accountId: userId,
    now,
  });

  await removeLinks(tx, userId, ['change-email']);
  // Neither the answer nor the notice tells whether somebody else has the address.
  if (await isAddressTaken(tx, newEmail, { now, exceptBy: userId })) return;
  const { token, subjectId } = await makeEmailLink(tx, { userId, email: newEmail, purpose: 'change-email', now });
  const confirmation = { kind: 'confirm-new-email', subjectId, params: { token }, accountId: userId } as const;
  await queueEmail(tx, { ...confirmation, toAddress: newEmail, now });
}
