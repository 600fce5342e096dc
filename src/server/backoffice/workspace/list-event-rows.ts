import { type EventRow, type eventRows } from '#contract/app/records/workspace.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { DATE_ROWS_PER_PAGE, EVENT_ROWS_PER_PAGE } from '#domain/limits.ts';
import { dollarsOf } from '#domain/money.ts';
import { eventStatus } from '#domain/sales/event-status.ts';
import { authorize } from '#server/accounts/policies.ts';
import { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { countByGroup, eventsOfGroup, type eventToFrame, ticketsOfferedBy } from './workspace.sql.ts';

/** A page of the member's events in one group, and how many each group has. */
export async function listEventRows(
  deps: Pick<Deps, 'db' | 'payoutBrakes'>,
  actor: Actor,
  { group, seriesId, q, after }: InputOf<typeof eventRows>,
): Promise<ReplyOf<typeof eventRows>> {
  authorize(actor, 'event.view');
  const { db } = deps;
  const counts = await countByGroup(db, actor, { seriesId, q });
  const perPage = seriesId === undefined ? EVENT_ROWS_PER_PAGE : DATE_ROWS_PER_PAGE;
  // One extra row tells whether there is a next page.
  const found = await eventsOfGroup(db, actor, { group, seriesId, q, after }, perPage + 1);
  const events = found.slice(0, perPage);
  const heads = await headsOf(deps, events);
  const payoutOf = isAllowed(actor, 'payout.view') ? await listPayouts(deps, idsOf(events)) : null;
  const datesOf = new Map(events.map(({ id, dates }) => [id, dates]));
  const rows = heads.map(({ grossCents, ...head }): EventRow => {
    const payout = payoutOf?.(head.eventId);
    return {
      ...head,
      gross: isAllowed(actor, 'sales.view') ? dollarsOf(grossCents) : null,
      payout: payout ? (payout.statement?.net ?? 0) : null,
      dates: datesOf.get(head.eventId) ?? 1,
    };
  });
  return { rows, next: found.length > events.length ? (events.at(-1)?.id ?? null) : null, counts };
}

type Found = NonNullable<Awaited<ReturnType<typeof eventToFrame>>>;

const idsOf = (events: readonly Found[]) => events.map(({ id }) => id);

/** What a list and a frame show of each event. */
export async function headsOf({ db }: Pick<Deps, 'db'>, events: readonly Found[]) {
  const ids = idsOf(events);
  const [totals, offered] = await Promise.all([ticketTotals(db, ids), ticketsOfferedBy(db, ids)]);
  return events.map((event) => {
    const own = totals.filter(({ eventId }) => eventId === event.id);
    const types = offered.find(({ eventId }) => eventId === event.id);
    return {
      eventId: event.id,
      title: event.title,
      subtitle: event.subtitle,
      seriesId: event.seriesId,
      status: eventStatus(
        {
          ...event,
          isDraft: !event.isPublished,
          isCancelled: event.cancelledAt !== null,
          isPaused: event.pausedSales === 'all',
        },
        event.now,
      ),
      startsAt: event.startsAt.toISOString(),
      endsAt: event.endsAt.toISOString(),
      timezone: event.timezone,
      ticketsSold: own.reduce((sum, { sold }) => sum + sold, 0),
      ticketsOffered: types?.tickets ?? 0,
      ticketTypes: types?.types ?? 0,
      grossCents: own.reduce((sum, total) => sum + total.grossCents, 0),
    };
  });
}
