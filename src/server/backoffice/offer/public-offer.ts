import type { FastifyInstance } from 'fastify';
import { type Offer, offer } from '#contract/app/plans.ts';
import { readPlans } from '#server/accounts/plans/plan-of.ts';
import type { Db } from '#server/platform/database.ts';
import { DEMO_ADDRESS } from '#server/platform/demo-address.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { eventOnSaleOf } from './offer.sql.ts';

/** What the public pages say about the product's terms, with the demo's event to look at. */
export async function readOffer(db: Db): Promise<Offer> {
  const [plans, demoEventId] = await Promise.all([readPlans(db), eventOnSaleOf(db, DEMO_ADDRESS)]);
  return { ...plans, demoEventId };
}

export function offerRoutes(app: FastifyInstance, { db }: Deps): void {
  mount(app, offer, () => readOffer(db));
}
