import { RECORDS_LINK_MINUTES } from '#contract/retention.ts';
import { hashOf, newSecret } from '#server/accounts/secrets.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { isAnythingKept, replaceRecordsLink } from './purchases.sql.ts';

/** Mails a link to whoever something is kept about. Nobody else gets mail because somebody typed their address. */
export async function sendRecordsLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { email }: { email: string },
): Promise<void> {
  if (!(await isAnythingKept(db, email))) return;

  const now = clock.now();
  const token = newSecret();
  const tokenHash = hashOf(token);
  const expiresAt = new Date(now.getTime() + RECORDS_LINK_MINUTES * 60_000);
  await inTransaction(db, async (tx) => {
    await replaceRecordsLink(tx, { tokenHash, email, createdAt: now, expiresAt });
    const subjectId = tokenHash.toString('hex');
    await queueMail(tx, { kind: 'records-link', subjectId, params: { token }, toAddress: email, now });
  });
}
