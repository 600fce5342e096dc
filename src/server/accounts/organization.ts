import { openOnboardingSteps } from '#domain/onboarding.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { findAccountInformation } from './accounts.sql.ts';
import { hasActivePayoutAccount } from './payout-account.ts';

export interface Organization {
  organizationName: string;
  organizationType: 'individual' | 'company';
}

/** `null` until the account information is saved. */
export async function readOrganization({ db }: Pick<Deps, 'db'>, userId: string): Promise<Organization | null> {
  const account = await findAccountInformation(db, userId);
  if (!account.organizationName || !account.organizationType) return null;
  const { organizationName, organizationType } = account;
  return { organizationName, organizationType };
}

export async function requireOnboarded(deps: Pick<Deps, 'db'>, organizer: Organizer): Promise<void> {
  const open = openOnboardingSteps({
    ...organizer,
    hasActivePayoutAccount: await hasActivePayoutAccount(deps, organizer.userId),
  });
  if (open.length > 0) throw new AppError('onboarding.incomplete');
}
