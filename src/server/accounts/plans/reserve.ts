/** The rolling reserve of an organization, which an operator sets. */
import type { setReserve as setReserveCall } from '#contract/app/plans.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { PayoutBrakes } from '#domain/payouts/brakes.ts';
import { reserveTexts } from '#messages/records/plans.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { findOrganizationToView } from '#server/accounts/viewing/viewing.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { reserveRow, updateReserve } from './plans.sql.ts';

/** The brakes on the organization's payouts: the settings, and a reserve of its own. */
export async function brakesOf(db: Db, settings: PayoutBrakes, organizationId: string): Promise<PayoutBrakes> {
  const { percent, days } = await reserveRow(db, organizationId);
  return {
    ...settings,
    reservePercent: percent ?? settings.reservePercent,
    reserveDays: days ?? settings.reserveDays,
  };
}

/** For payouts that are requested from now on. */
export async function setReserve(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId: actorId, sessionId }: Organizer,
  { organization: wanted, percent, days }: InputOf<typeof setReserveCall>,
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const organization = await findOrganizationToView(tx, wanted);
    // A payout that is being requested keeps the reserve that its statement says.
    if (!organization || !(await lockOrganization(tx, organization.id)))
      throw new AppError('view-as.unknown-organization');
    const { id: organizationId } = organization;
    await updateReserve(tx, organizationId, { percent, days });
    const params = { ...(percent !== null && { percent }), ...(days !== null && { days }) };
    const audited = { actorId, organizationId, sessionId, subject: organizationId, params, at: clock.now() };
    await recordAuditEvent(tx, { action: 'set-reserve', ...audited });
  });
  return { msg: reserveTexts.saved };
}
