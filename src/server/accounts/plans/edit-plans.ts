/** What operators do with plans. Each change is in the audit log; no existing event changes. */
import type { adminPlans, retirePlan as retirePlanCall, savePlan as savePlanCall } from '#contract/app/plans.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { denyPlanEdit, denyRetiring, STANDARD_PLAN } from '#domain/plan.ts';
import { planTexts } from '#messages/records/plans.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { planReply } from './plan-of.ts';
import { allPlanRows, hasPlanNamed, lockPlans, setRetired, upsertPlan } from './plans.sql.ts';

type EditDeps = Pick<Deps, 'db' | 'clock'>;

export async function listPlans({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminPlans>> {
  const rows = await allPlanRows(db);
  return {
    plans: rows.map((row) => ({
      ...planReply(row),
      planId: row.id,
      isPublic: row.isPublic,
      isRetired: row.retiredAt !== null,
      isStandard: row.id === STANDARD_PLAN,
      organizations: row.organizations,
    })),
  };
}

export async function savePlan(
  { db, clock }: EditDeps,
  { userId: actorId, sessionId }: Organizer,
  { planId: id, name, activeEventsMax, terms, isPublic }: InputOf<typeof savePlanCall>,
): Promise<{ msg: string }> {
  const denial = denyPlanEdit({ id, activeEventsMax, terms, isPublic });
  if (denial) throw new AppError(`plan.${denial}`);
  const figures = {
    activeEventsMax,
    processingCents: terms.processingCents,
    standardBp: terms.standard.basisPoints,
    standardFlatCents: terms.standard.flatCents,
    largeBp: terms.large.basisPoints,
    largeFlatCents: terms.large.flatCents,
    largeFrom: terms.largeFrom,
    isPublic,
  };
  await inTransaction(db, async (tx) => {
    await lockPlans(tx);
    if (await hasPlanNamed(tx, name, id)) throw new AppError('plan.name-taken');
    const action = (await upsertPlan(tx, { id, name, ...figures })) ? 'create-plan' : 'edit-plan';
    await recordAuditEvent(tx, { action, actorId, sessionId, subject: id, params: figures, at: clock.now() });
  });
  return { msg: planTexts.saved };
}

/** Organizations that have the plan keep it. */
export async function retirePlan(
  { db, clock }: EditDeps,
  { userId: actorId, sessionId }: Organizer,
  { planId, isRetired }: InputOf<typeof retirePlanCall>,
): Promise<{ msg: string }> {
  const denial = isRetired ? denyRetiring(planId) : null;
  if (denial) throw new AppError(`plan.${denial}`);
  const at = clock.now();
  await inTransaction(db, async (tx) => {
    if (!(await setRetired(tx, planId, isRetired ? at : null))) throw new AppError('plan.unknown');
    const action = isRetired ? 'retire-plan' : 'offer-plan';
    await recordAuditEvent(tx, { action, actorId, sessionId, subject: planId, at });
  });
  return { msg: isRetired ? planTexts.isRetired : planTexts.isOffered };
}
