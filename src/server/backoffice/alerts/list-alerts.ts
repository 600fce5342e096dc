import type { adminAlerts } from '#contract/app/alerts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import { openAlerts } from './alerts.sql.ts';

/** The list is capped; `total` counts all. */
const ALERTS_MAX = 100;

export async function listAlerts({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminAlerts>> {
  const rows = await openAlerts(db, ALERTS_MAX);
  const alerts = rows.map(({ total: _total, raisedAt, lastSentAt, ...alert }) => ({
    ...alert,
    raisedAt: raisedAt.toISOString(),
    lastSentAt: lastSentAt?.toISOString() ?? null,
  }));
  return { alerts, total: rows[0]?.total ?? 0 };
}
