import { RECORDS_LINK_MINUTES } from '#domain/retention.ts';
import { recordsLinkSent } from '#messages/privacy.ts';
import { hashSecret, newSecret } from '#server/accounts/passwords.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { hasRecords, replaceRecordsLink } from './purchases.sql.ts';

/** Responds identically for every address, with the same timing: a job checks whether any data exists. */
export async function requestRecordsLink(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { email, honeypot, ip }: { email: string; honeypot?: string | undefined; ip: string },
): Promise<{ msg: string }> {
  if (!honeypot && !(await isRateLimited(rateLimiter, email, ip))) await enqueue(db, 'send-records-link', { email });
  return { msg: recordsLinkSent };
}

async function isRateLimited(rateLimiter: Deps['rateLimiter'], email: string, ip: string): Promise<boolean> {
  if ((await rateLimiter.consume('records-link-address', ip)) !== null) return true;
  return (await rateLimiter.consume('records-link', email.toLowerCase())) !== null;
}

/** Emails a link only to addresses with stored data, so that strangers get no email from a mistyped address. */
export async function sendRecordsLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { email }: { email: string },
): Promise<void> {
  if (!(await hasRecords(db, email))) return;

  const now = clock.now();
  const token = newSecret();
  const tokenHash = hashSecret(token);
  const expiresAt = new Date(now.getTime() + RECORDS_LINK_MINUTES * 60_000);
  await inTransaction(db, async (tx) => {
    await replaceRecordsLink(tx, { tokenHash, email, createdAt: now, expiresAt });
    const subjectId = tokenHash.toString('hex');
    await queueEmail(tx, { kind: 'records-link', subjectId, params: { token }, toAddress: email, now });
  });
}
