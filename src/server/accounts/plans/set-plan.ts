import type { setPlan as setPlanCall } from '#contract/app/plans.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { planTexts } from '#messages/records/plans.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { findOrganizationToView } from '#server/accounts/viewing/viewing.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { lockPlan, setPlanOf } from './plans.sql.ts';

/** Gives an organization a plan, from its next event on. */
export async function setPlan(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId: actorId, sessionId }: Organizer,
  { organization: wanted, planId }: InputOf<typeof setPlanCall>,
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const organization = await findOrganizationToView(tx, wanted);
    // An event that is being created keeps the plan that it counted by.
    if (!organization || !(await lockOrganization(tx, organization.id)))
      throw new AppError('view-as.unknown-organization');
    const plan = await lockPlan(tx, planId);
    if (!plan) throw new AppError('plan.unknown');
    if (plan.retiredAt) throw new AppError('plan.retired');
    const { id: organizationId } = organization;
    await setPlanOf(tx, organizationId, planId);
    const audited = { actorId, organizationId, sessionId, subject: organizationId, at: clock.now() };
    await recordAuditEvent(tx, { action: 'set-plan', params: { planId }, ...audited });
  });
  return { msg: planTexts.given };
}
