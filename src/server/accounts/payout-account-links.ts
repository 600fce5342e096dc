import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { ProcessorDenied } from '#server/platform/ports/processor-error.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { findOrganization } from './organizations.sql.ts';
import { claimPayoutAccount, findPayoutAccount, recordPayoutAccount, releaseClaim } from './payout-accounts.sql.ts';
import { authorize } from './policies.ts';

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'rateLimiter'>;

/** Link to Stripe's hosted onboarding, where the organizer enters identity and bank details. */
export async function createAccountLink(deps: LinkDeps, organizer: Organizer): Promise<{ url: string }> {
  authorize(organizer, 'payout-account.manage');
  await consumeLimit(deps.rateLimiter, 'payout-link', organizer.userId);
  const existing = await findPayoutAccount(deps.db, organizer.organizationId);
  const accountId = existing?.accountId ?? (await createPayoutAccount(deps, organizer));
  return deps.payoutAccounts.onboardingLink(accountId);
}

/** Replaces an expired link. `null` before onboarding has started, so a page load never creates an account. */
export async function renewAccountLink(deps: LinkDeps, organizer: Organizer): Promise<{ url: string } | null> {
  const existing = await findPayoutAccount(deps.db, organizer.organizationId);
  return existing?.accountId ? createAccountLink(deps, organizer) : null;
}

/**
 * Claims, creates, then records the account. A retry after a crash or a second click repeats the same request from the
 * stored claim, so Stripe returns the same account.
 */
async function createPayoutAccount({ db, clock, payoutAccounts }: LinkDeps, organizer: Organizer): Promise<string> {
  const { organizationId, email } = organizer;
  const { name: organizationName, type: organizationType } = await findOrganization(db, organizationId);
  if (!organizationName || !organizationType) throw new AppError('payout-account.account-information-missing');

  const now = clock.now();
  const wanted = { organizationId, email, organizationName, organizationType };
  await claimPayoutAccount(db, { ...wanted, accountId: null, confirmedAt: now, createdAt: now, readAt: now });
  const claim = await findPayoutAccount(db, organizationId);
  if (!claim) throw new Error(`The payout account claim of organization ${organizationId} was released concurrently.`);
  if (claim.accountId) return claim.accountId;

  const { accountId } = await payoutAccounts.open(claim).catch(async (error: unknown) => {
    // Stripe created nothing. Releasing the claim lets a retry use corrected account information.
    if (error instanceof ProcessorDenied) await releaseClaim(db, organizationId);
    throw error;
  });
  await inTransaction(db, async (tx) => {
    await recordPayoutAccount(tx, organizationId, accountId);
    // A concurrent click gets the same account from Stripe.
    const once = accountId;
    await recordAuditEvent(tx, {
      action: 'open-payout-account',
      by: organizer,
      subject: organizationId,
      at: now,
      once,
    });
  });
  return accountId;
}

/** Link to the organizer's Stripe dashboard, or to onboarding while there is no dashboard yet. */
export async function createLoginLink(
  deps: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'rateLimiter'>,
  organizer: Organizer,
): Promise<{ url: string }> {
  authorize(organizer, 'payout-account.manage');
  const account = await findPayoutAccount(deps.db, organizer.organizationId);
  if (!account?.accountId) throw new AppError('payout-account.no-payout-account');

  await consumeLimit(deps.rateLimiter, 'payout-link', organizer.userId);
  const dashboard = await deps.payoutAccounts.dashboardLink(account.accountId);
  return dashboard ?? createAccountLink(deps, organizer);
}
