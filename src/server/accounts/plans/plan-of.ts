import type { Offer, Plan } from '#contract/app/plans.ts';
import type { FeeTerms } from '#domain/fees.ts';
import { STANDARD_PLAN } from '#domain/plan.ts';
import type { Db } from '#server/platform/database.ts';
import { type PlanRow, planRowOf, publicPlanRows } from './plans.sql.ts';

/** What the organization's next event gets. */
export async function planOf(db: Db, organizationId: string): Promise<Plan> {
  return planReply(await planRowOf(db, organizationId));
}

/** The plans on the public pages. */
export async function readPlans(db: Db): Promise<Omit<Offer, 'demoEventId'>> {
  const rows = await publicPlanRows(db);
  const standard = rows.find(({ id }) => id === STANDARD_PLAN);
  if (!standard) throw new Error('the standard plan is missing');
  return { standard: planReply(standard), others: rows.filter((row) => row !== standard).map(planReply) };
}

export const planReply = ({ name, activeEventsMax, ...row }: PlanRow): Plan => ({
  name,
  activeEventsMax,
  terms: termsOf(row),
});

type TermsRow = Pick<
  PlanRow,
  'processingCents' | 'standardBp' | 'standardFlatCents' | 'largeBp' | 'largeFlatCents' | 'largeFrom'
>;

const termsOf = (row: TermsRow): FeeTerms => ({
  processingCents: row.processingCents,
  standard: { basisPoints: row.standardBp, flatCents: row.standardFlatCents },
  large: { basisPoints: row.largeBp, flatCents: row.largeFlatCents },
  largeFrom: row.largeFrom,
});
