import type { adminOverview } from '#contract/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { dollarsOf } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { countsOfProduct, countsOfStuckWork, unbalancedCents } from './admin.sql.ts';

/** How large the product is, and what in it needs a person. */
export async function readOverview({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminOverview>> {
  const { grossCents, ...counts } = await countsOfProduct(db);
  return {
    ...counts,
    gross: dollarsOf(grossCents),
    stuck: await countsOfStuckWork(db),
    ledgerDifferenceCents: await unbalancedCents(db),
  };
}
