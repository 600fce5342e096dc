import type { adminDisputes } from '#contract/app/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import { openDisputes } from './disputes.sql.ts';
import { stripeUrl } from './stripe-url.ts';

const SHOWN = 50;

export async function listDisputes(deps: Pick<Deps, 'db' | 'takesRealMoney'>): Promise<ReplyOf<typeof adminDisputes>> {
  const rows = await openDisputes(deps.db, SHOWN);
  return {
    disputes: rows.map(({ stripeDisputeId, dueAt, evidenceSentAt, total: _total, ...dispute }) => ({
      ...dispute,
      dueAt: dueAt?.toISOString() ?? null,
      evidenceSentAt: evidenceSentAt?.toISOString() ?? null,
      stripeUrl: stripeUrl(deps, `disputes/${stripeDisputeId}`),
    })),
    total: rows[0]?.total ?? 0,
  };
}
