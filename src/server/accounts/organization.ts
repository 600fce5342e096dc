import { isForMoney, openOnboardingSteps, type PricedType } from '#domain/accounts/onboarding.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { type AboutCheckIn, type AboutOrganization, queueEmail } from '#server/platform/outbox/queue-email.ts';
import { checkInMembersOf, lockOrganizationRow, ownersOf } from './organizations.sql.ts';
import { hasActivePayoutAccount } from './payout-account.ts';

/**
 * Serializes the organization's event creations, payouts and debts until the transaction ends. False if it was deleted.
 */
export const lockOrganization = (tx: Db, organizationId: string): Promise<boolean> =>
  lockOrganizationRow(tx, organizationId);

/** Emails each owner. */
export async function emailOwners(
  tx: Db,
  organizationId: string,
  { subjectId, ...email }: AboutOrganization & { now: Date },
): Promise<void> {
  for (const { userId, email: toAddress } of await ownersOf(tx, organizationId))
    await queueEmail(tx, { ...email, subjectId: `${subjectId} ${userId}`, accountId: userId, toAddress });
}

/** Emails each member whose role is check-in, at this event. */
export async function emailCheckInMembers(
  tx: Db,
  { organizationId, eventId }: { organizationId: string; eventId: string },
  email: AboutCheckIn & { now: Date },
): Promise<void> {
  for (const { userId, email: toAddress } of await checkInMembersOf(tx, organizationId, eventId))
    await queueEmail(tx, { ...email, subjectId: `${email.subjectId} ${userId}`, accountId: userId, toAddress });
}

export async function requireOnboarded(deps: Pick<Deps, 'db'>, organizer: Editor): Promise<void> {
  const open = openOnboardingSteps({
    ...organizer,
    hasActivePayoutAccount: await hasActivePayoutAccount(deps, organizer.organizationId),
  });
  if (open.length > 0) throw new AppError('onboarding.incomplete');
}

/** Tickets that cost money need complete onboarding, others a verified address. */
export async function requireReadyToSell(
  deps: Pick<Deps, 'db'>,
  organizer: Editor,
  types: readonly PricedType[],
): Promise<void> {
  if (types.some(isForMoney)) return requireOnboarded(deps, organizer);
  if (!organizer.emailVerifiedAt) throw new AppError('auth.email-unverified');
}
