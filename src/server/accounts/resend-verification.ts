import { alreadyVerified, verificationSent } from '#contract/accounts.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { spendTry } from '#server/spend-try.ts';
import type { Organizer } from './authenticate.ts';
import { removeExpiredLinks } from './email-links.sql.ts';
import { sendVerification } from './send-verification.ts';

/** Mails a new link. Older ones stay good until they expire: the mails may arrive in any order. */
export async function resendVerification(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  organizer: Organizer,
): Promise<{ msg: string }> {
  if (organizer.emailVerifiedAt) return { msg: alreadyVerified };

  await spendTry(tries, 'resend-verification', organizer.userId);

  await inTransaction(db, async (tx) => {
    await removeExpiredLinks(tx, organizer.userId, clock.now());
    await sendVerification(tx, organizer, clock.now());
  });
  return { msg: verificationSent };
}
