import { RECORDS_LINK_MINUTES } from '#domain/retention.ts';
import { recordsLinkSent } from '#messages/privacy.ts';
import { lockEmail } from '#server/accounts/accounts.sql.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { linkToken, storedLinkToken } from '#server/platform/outbox/link-token.ts';
import { queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { addRecordsLink, extendRecordsLink, hasRecords, recordsLinksTo } from './purchases.sql.ts';

const MINUTE_MS = 60_000;
/** From then on a request makes a new link: an old email must not work forever because strangers keep requesting. */
const SENT_AGAIN_MS = 24 * 60 * MINUTE_MS;

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

/**
 * Emails a link, the same one as long as it lives. Only to addresses with stored data, so that strangers get no email from a
 * mistyped address.
 */
export async function sendRecordsLink(
  { db, clock, ...limits }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimitScale'>,
  { email }: { email: string },
): Promise<void> {
  if (!(await hasRecords(db, email))) return;

  const now = clock.now();
  const expiresAt = new Date(now.getTime() + RECORDS_LINK_MINUTES * MINUTE_MS);
  await inTransaction(db, async (tx) => {
    // Two requests at once must not make two links.
    await lockEmail(tx, email);
    const createdAfter = new Date(now.getTime() - SENT_AGAIN_MS);
    const living = (await recordsLinksTo(tx, { email, now, createdAfter })).find(
      (one) => storedLinkToken(limits.appSecret, one.id, one.tokenHash) !== null,
    );
    const id = living?.id ?? newId();
    const tokenHash = living?.tokenHash ?? hashSecret(linkToken(limits.appSecret, id));
    if (!living) await addRecordsLink(tx, { id, tokenHash, email, createdAt: now, expiresAt });
    const goesOut = await queueLimitedEmail(tx, limits, { kind: 'records-link', subjectId: id, toAddress: email, now });
    if (goesOut) await extendRecordsLink(tx, tokenHash, expiresAt);
  });
}
