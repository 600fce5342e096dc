import { verifyRefusals } from '#contract/accounts.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';
import { markEmailVerified, markLinkUsed } from './accounts.sql.ts';
import { hashOf } from './secrets.ts';

/** May be repeated while the link lives: mail scanners open links before people do. */
export async function verifyEmail(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  { token, ip }: { token: string; ip: string },
): Promise<void> {
  const isVerified = await inTransaction(db, async (tx) => {
    const link = await markLinkUsed(tx, hashOf(token), clock.now());
    return link !== undefined && (await markEmailVerified(tx, link.userId, link.email, clock.now()));
  });
  if (isVerified) return;

  await spendTry(tries, 'mailed-link', ip);
  throw invalid(verifyRefusals['unknown-token']);
}
