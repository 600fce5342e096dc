import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorDenied } from '#server/platform/ports/processor-error.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { readOrganization } from './organization.ts';
import { claimPayoutAccount, findPayoutAccount, recordPayoutAccount, releaseClaim } from './payout-accounts.sql.ts';

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'rateLimiter'>;
type Owner = { userId: string; email: string };

/** Link to Stripe's hosted onboarding, where the organizer enters identity and bank details. */
export async function createAccountLink(deps: LinkDeps, organizer: Owner): Promise<{ url: string }> {
  await consumeLimit(deps.rateLimiter, 'payout-link', organizer.userId);
  const existing = await findPayoutAccount(deps.db, organizer.userId);
  const accountId = existing?.accountId ?? (await createPayoutAccount(deps, organizer));
  return deps.payoutAccounts.onboardingLink(accountId);
}

/** Replaces an expired link. `null` before onboarding has started, so a page load never creates an account. */
export async function renewAccountLink(deps: LinkDeps, organizer: Owner): Promise<{ url: string } | null> {
  const existing = await findPayoutAccount(deps.db, organizer.userId);
  return existing?.accountId ? createAccountLink(deps, organizer) : null;
}

/**
 * Claims, creates, then records the account. A retry after a crash or a second click repeats the same request from the
 * stored claim, so Stripe returns the same account.
 */
async function createPayoutAccount({ db, clock, payoutAccounts }: LinkDeps, { userId, email }: Owner): Promise<string> {
  const organization = await readOrganization({ db }, userId);
  if (!organization) throw new AppError('payout-account.account-information-missing');

  const now = clock.now();
  await claimPayoutAccount(db, { userId, email, ...organization, accountId: null, createdAt: now, readAt: now });
  const claim = await findPayoutAccount(db, userId);
  if (!claim) throw new Error(`Payout account claim of user ${userId} was released concurrently.`);
  if (claim.accountId) return claim.accountId;

  const { accountId } = await payoutAccounts.open(claim).catch(async (error: unknown) => {
    // Stripe created nothing. Releasing the claim lets a retry use corrected account information.
    if (error instanceof ProcessorDenied) await releaseClaim(db, userId);
    throw error;
  });
  await recordPayoutAccount(db, userId, accountId);
  return accountId;
}

/** Link to the organizer's Stripe dashboard, or to onboarding while there is no dashboard yet. */
export async function createLoginLink(
  deps: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'rateLimiter'>,
  organizer: { userId: string; email: string },
): Promise<{ url: string }> {
  const account = await findPayoutAccount(deps.db, organizer.userId);
  if (!account?.accountId) throw new AppError('payout-account.no-payout-account');

  await consumeLimit(deps.rateLimiter, 'payout-link', organizer.userId);
  const dashboard = await deps.payoutAccounts.dashboardLink(account.accountId);
  return dashboard ?? createAccountLink(deps, organizer);
}
