import type { Db } from '#server/database.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { addEmailLink } from './accounts.sql.ts';
import { hashOf, newSecret } from './secrets.ts';

const LINK_LIFETIME = 24 * 60 * 60 * 1000;

/** Makes a link and queues its mail in the transaction that was begun: no link without a mail, no mail without a link. */
export async function sendVerification(tx: Db, { userId, email }: { userId: string; email: string }, now: Date) {
  const token = newSecret();
  const tokenHash = hashOf(token);
  await addEmailLink(tx, {
    tokenHash,
    userId,
    purpose: 'verify-email',
    email,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_LIFETIME),
    usedAt: null,
  });
  const subjectId = tokenHash.toString('hex');
  await queueMail(tx, { kind: 'verify-email', subjectId, params: { token }, toAddress: email, now });
}
