import { findPayoutAccountById, recordReading } from '#server/accounts/payout-accounts.sql.ts';
import type { Deps } from '#server/platform/deps.ts';
import { unpaidPayoutsInto } from './payouts.sql.ts';
import { sendPayout } from './send-payout.ts';

/** The card company says that an organizer's account changed: reads it anew, and sends what waited for it. */
export async function accountChanged(
  { db, clock, payoutAccounts, log }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'log'>,
  { accountId }: { accountId: string },
): Promise<void> {
  const account = await findPayoutAccountById(db, accountId);
  if (!account) return;

  const isActive = await payoutAccounts.isActive(accountId);
  await recordReading(db, account.userId, isActive, clock.now());
  if (!isActive) return;
  for (const payout of await unpaidPayoutsInto(db, accountId)) {
    try {
      await sendPayout({ db, payoutAccounts, log }, payout);
    } catch (error) {
      log.warn({ err: error, ...payout }, 'a payout could not be sent');
    }
  }
}
