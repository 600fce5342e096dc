import { payoutErrors } from '#contract/payouts.ts';
import { conflict } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorDenied } from '#server/platform/ports/processor-error.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { readOrganization } from './organization.ts';
import { claimPayoutAccount, findPayoutAccount, recordPayoutAccount, releaseClaim } from './payout-accounts.sql.ts';

type Needs = Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'tries'>;
type Owner = { userId: string; email: string };

/** A link to the card company's own pages, where the organizer says who they are and where payouts go. */
export async function createAccountLink(deps: Needs, organizer: Owner): Promise<{ url: string }> {
  await consumeLimit(deps.tries, 'payout-link', organizer.userId);
  const existing = await findPayoutAccount(deps.db, organizer.userId);
  const accountId = existing?.accountId ?? (await openAccount(deps, organizer));
  return deps.payoutAccounts.onboardingLink(accountId);
}

/** A fresh link where the last one was used up; `null` for whoever has not begun: a mere page load opens no account. */
export async function renewAccountLink(deps: Needs, organizer: Owner): Promise<{ url: string } | null> {
  const existing = await findPayoutAccount(deps.db, organizer.userId);
  return existing?.accountId ? createAccountLink(deps, organizer) : null;
}

/**
 * Claimed, asked for, recorded. Who dies in between, or clicks twice, asks again for the same account in the
 * same words, and gets the same one.
 */
async function openAccount({ db, clock, payoutAccounts }: Needs, { userId, email }: Owner): Promise<string> {
  const organization = await readOrganization({ db }, userId);
  if (!organization) throw conflict(payoutErrors['account-information-missing']);

  const now = clock.now();
  await claimPayoutAccount(db, { userId, email, ...organization, accountId: null, createdAt: now, readAt: now });
  const claim = await findPayoutAccount(db, userId);
  if (!claim) throw new Error(`The claim of ${userId} was released while it was being used.`);
  if (claim.accountId) return claim.accountId;

  const { accountId } = await payoutAccounts.open(claim).catch(async (error: unknown) => {
    // A clear no opened nothing. Without the claim the next try may use corrected account information.
    if (error instanceof ProcessorDenied) await releaseClaim(db, userId);
    throw error;
  });
  await recordPayoutAccount(db, userId, accountId);
  return accountId;
}

/** A link to the organizer's dashboard at the card company, or to what is still missing before there is one. */
export async function createLoginLink(
  deps: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'tries'>,
  organizer: { userId: string; email: string },
): Promise<{ url: string }> {
  const account = await findPayoutAccount(deps.db, organizer.userId);
  if (!account?.accountId) throw conflict(payoutErrors['no-payout-account']);

  await consumeLimit(deps.tries, 'payout-link', organizer.userId);
  const dashboard = await deps.payoutAccounts.dashboardLink(account.accountId);
  return dashboard ?? createAccountLink(deps, organizer);
}
