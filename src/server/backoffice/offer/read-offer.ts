import type { Offer } from '#contract/app/plans.ts';
import { readPlans } from '#server/accounts/plans/plan-of.ts';
import type { Db } from '#server/platform/database.ts';
import { DEMO_ADDRESS } from '#server/platform/demo-address.ts';
import { eventOnSaleOf } from './offer.sql.ts';

/** The plans on the public pages, with the demo's event to look at. */
export async function readOffer(db: Db): Promise<Offer> {
  const [plans, demoEventId] = await Promise.all([readPlans(db), eventOnSaleOf(db, DEMO_ADDRESS)]);
  return { ...plans, demoEventId };
}
