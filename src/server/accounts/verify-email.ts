import { verifyRefusals } from '#contract/accounts.ts';
import { tooManyTries } from '#contract/sentences.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { invalid, Refusal } from '#server/refusal.ts';
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

  const wait = await tries.spend('mailed-link', ip);
  throw wait === null ? invalid(verifyRefusals['unknown-token']) : new Refusal('too-many', tooManyTries, wait);
}
