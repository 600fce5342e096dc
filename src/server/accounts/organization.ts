import { openOnboardingSteps } from '#domain/accounts/onboarding.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { findOwner, lockOrganizationRow } from './organizations.sql.ts';
import { hasActivePayoutAccount } from './payout-account.ts';

/**
 * Serializes the organization's event creations, payouts and debts until the transaction ends. False if it was deleted.
 */
export const lockOrganization = (tx: Db, organizationId: string): Promise<boolean> =>
  lockOrganizationRow(tx, organizationId);

/** The recipient of emails to the organization. */
export const ownerOf = (db: Db, organizationId: string): Promise<{ userId: string; email: string }> =>
  findOwner(db, organizationId);

export async function requireOnboarded(deps: Pick<Deps, 'db'>, organizer: Organizer): Promise<void> {
  const open = openOnboardingSteps({
    ...organizer,
    hasActivePayoutAccount: await hasActivePayoutAccount(deps, organizer.organizationId),
  });
  if (open.length > 0) throw new AppError('onboarding.incomplete');
}
