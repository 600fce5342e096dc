import type { ActionItemKind, adminActionItems } from '#contract/app/action-items.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { reviewReasons } from '#messages/checkout.ts';
import { discrepancyMessages, earlyCheckInReasons, failureReasons } from '#messages/operator.ts';
import type { Deps } from '#server/platform/deps.ts';
import { actionItemRows } from './action-items.sql.ts';

/** The list is capped; `total` counts all items. */
const ITEMS_MAX = 200;

/** Oldest first. */
export async function listActionItems({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminActionItems>> {
  const rows = await actionItemRows(db, ITEMS_MAX);
  const items = rows.map(({ eventId, title, organization, since, why, ...row }) => ({
    ...row,
    why: whyOf(row.kind, why),
    since: since.toISOString(),
    event: eventId !== null && title !== null ? { eventId, title, organization } : null,
  }));
  return { items, total: rows[0]?.total ?? 0 };
}

/** Rows store our own reasons as codes, and those of Stripe and of the mail server in their words. */
function whyOf(kind: ActionItemKind, why: string | null): string | null {
  if (why === null) return null;
  if (kind === 'check-in-objection' || kind === 'early-check-ins') return earlyCheckInReasons[kind](Number(why));
  if (kind === 'order-needs-review') return textOf(reviewReasons, why);
  return textOf(kind === 'discrepancy' ? discrepancyMessages : failureReasons, why);
}

const textOf = (texts: Readonly<Record<string, string>>, why: string): string => texts[why] ?? why;
