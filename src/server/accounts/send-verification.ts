import type { Db } from '#server/database.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { makeEmailLink } from './make-email-link.ts';

/** Makes a link and queues its mail in the transaction that was begun: no link without a mail, no mail without a link. */
export async function sendVerification(tx: Db, { userId, email }: { userId: string; email: string }, now: Date) {
  const { token, subjectId } = await makeEmailLink(tx, { userId, email, purpose: 'verify-email', now });
  await queueMail(tx, { kind: 'verify-email', subjectId, params: { token }, toAddress: email, accountId: userId, now });
}
