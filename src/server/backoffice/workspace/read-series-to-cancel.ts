import type { seriesToCancel } from '#contract/app/sales/series-changes.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { dollarsOf } from '#domain/money.ts';
import { datesToCancel, seriesToCancelOf } from '#server/events/series-changes/cancel-series.ts';
import { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';

/** What cancelling the coming dates of the event's series refunds, and what it costs. */
export async function readSeriesToCancel(
  deps: Pick<Deps, 'db' | 'payoutBrakes'>,
  actor: Actor,
  eventId: string,
): Promise<ReplyOf<typeof seriesToCancel>> {
  const dates = await datesToCancel(deps.db, await seriesToCancelOf(deps.db, actor, eventId));
  const ids = dates.map((date) => date.eventId);
  const totals = await ticketTotals(deps.db, ids);
  const sum = (of: 'sold' | 'soldFree' | 'grossCents') => totals.reduce((total, row) => total + row[of], 0);
  const payoutOf = await listPayouts(deps, ids);
  return {
    title: dates[0]?.title ?? '',
    dates: dates.length,
    ticketsSold: sum('sold'),
    freeTickets: sum('soldFree'),
    gross: dollarsOf(sum('grossCents')),
    cancelCosts: ids.reduce((total, id) => total + (payoutOf(id)?.cancelCosts ?? 0), 0),
  };
}
