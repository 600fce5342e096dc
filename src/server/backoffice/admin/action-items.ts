import type { adminActionItems } from '#contract/app/action-items.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { reviewReasons } from '#messages/checkout.ts';
import type { Deps } from '#server/platform/deps.ts';
import { actionItemRows } from './action-items.sql.ts';

/** The list is capped; `total` counts all items. */
const ITEMS_MAX = 200;

/** Oldest first. */
export async function listActionItems({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminActionItems>> {
  const rows = await actionItemRows(db, ITEMS_MAX);
  const items = rows.map(({ eventId, title, organization, since, why, ...row }) => ({
    ...row,
    why: row.kind === 'order-needs-review' ? reasonOf(why) : why,
    since: since.toISOString(),
    event: eventId !== null && title !== null ? { eventId, title, organization } : null,
  }));
  return { items, total: rows[0]?.total ?? 0 };
}

function reasonOf(reviewReason: string | null): string | null {
  return new Map(Object.entries(reviewReasons)).get(reviewReason ?? '') ?? reviewReason;
}
