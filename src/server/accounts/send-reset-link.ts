import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { findCredentials, lockUser } from './accounts.sql.ts';
import { removeLinks } from './email-links.sql.ts';
import { makeEmailLink } from './make-email-link.ts';

/** Mails a link to whoever has an account with this address. The newest link is the only one that works. */
export async function sendResetLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { email }: { email: string },
): Promise<void> {
  const found = await findCredentials(db, email);
  if (!found) return;

  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, found.id);
    if (!user) return;
    const now = clock.now();
    await removeLinks(tx, user.id, ['reset-password']);
    const link = { userId: user.id, email: user.email, purpose: 'reset-password' as const, now };
    const { token, subjectId } = await makeEmailLink(tx, link);
    const mail = { kind: 'reset-password', subjectId, params: { token }, accountId: user.id } as const;
    await queueMail(tx, { ...mail, toAddress: user.email, now });
  });
}
