import { payoutRefusals } from '#contract/payouts.ts';
import type { Deps } from '#server/deps.ts';
import { conflict } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';
import { createAccountLink } from './create-account-link.ts';
import { findPayoutAccount } from './payouts.sql.ts';

/** A link to the organizer's dashboard at the card company, or to what is still missing before there is one. */
export async function createLoginLink(
  deps: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'tries'>,
  organizer: { userId: string; email: string },
): Promise<{ url: string }> {
  const account = await findPayoutAccount(deps.db, organizer.userId);
  if (!account?.accountId) throw conflict(payoutRefusals['no-payout-account']);

  await spendTry(deps.tries, 'payout-link', organizer.userId);
  const dashboard = await deps.payoutAccounts.dashboardLink(account.accountId);
  return dashboard ?? createAccountLink(deps, organizer);
}
