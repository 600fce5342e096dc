import { syncPayoutAccount } from '#server/accounts/payout-account.ts';
import type { Deps } from '#server/platform/deps.ts';
import { unpaidPayoutsInto } from './payouts.sql.ts';
import { sendPayout } from './send-payout.ts';

/** Refreshes an organizer's account after a change at Stripe and sends the payouts that waited for it. */
export async function payoutAccountChanged(
  deps: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'log'>,
  { accountId }: { accountId: string },
): Promise<void> {
  if (!(await syncPayoutAccount(deps, accountId))) return;
  for (const payout of await unpaidPayoutsInto(deps.db, accountId)) {
    try {
      await sendPayout(deps, payout);
    } catch (error) {
      deps.log.warn({ err: error, ...payout }, 'could not send a payout');
    }
  }
}
