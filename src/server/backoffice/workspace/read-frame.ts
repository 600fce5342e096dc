import type { eventCard, eventFrame, eventMoney } from '#contract/app/records/workspace.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { automaticPayoutsOf, isPayoutAccountUnconfirmed } from '#server/accounts/payout-account.ts';
import { listOwnDisputes } from '#server/backoffice/disputes/list-own-disputes.ts';
import { countOrders } from '#server/backoffice/orders/order-table.sql.ts';
import { listOrganizerEvents } from '#server/backoffice/profile/list-organizer-events.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { coverReply, listPhotos } from '#server/events/photos/list-photos.ts';
import { cancellationProgress } from '#server/payments/refunds/refund-cancelled-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { headsOf } from './list-event-rows.ts';
import { datesOfSeries, eventToFrame } from './workspace.sql.ts';

/** What the member sees around every screen of the event. */
export async function readFrame(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  actor: Actor,
  { eventId }: InputOf<typeof eventFrame>,
): Promise<ReplyOf<typeof eventFrame>> {
  await authorizeEvent(deps, actor, 'event.view', eventId);
  const event = await eventToFrame(deps.db, actor.organizationId, eventId);
  const [head] = event ? await headsOf(deps, [event]) : [];
  if (!event || !head) throw new AppError('event.not-found');
  const photosOf = await listPhotos(deps, [eventId]);
  const cancellationOf = event.cancelledAt ? await cancellationProgress(deps, [eventId]) : null;
  const { grossCents: _gross, ...shown } = head;
  return {
    ...shown,
    city: event.city,
    state: event.state,
    salesStartAt: event.salesStartAt?.toISOString() ?? null,
    eventUrl: eventUrl(deps, eventId),
    ...coverReply(photosOf(eventId)),
    orders: await countOrders(deps.db, eventId),
    role: actor.role,
    isForAllEvents: actor.onlyEventIds === null,
    series: event.seriesId === null ? null : placeAmong(await datesOfSeries(deps.db, actor, event.seriesId), eventId),
    cancellation: cancellationOf ? cancellationOf(eventId) : null,
  };
}

/** Which of the dates it is, counted from 1. */
function placeAmong(dates: readonly string[], eventId: string): ReplyOf<typeof eventFrame>['series'] {
  const index = dates.indexOf(eventId);
  if (dates.length < 2) return null;
  return {
    dates: dates.length,
    position: index + 1,
    previous: dates[index - 1] ?? null,
    next: dates[index + 1] ?? null,
  };
}

/** One event as the profile shows it. */
export async function readCard(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'payoutBrakes'>,
  actor: Actor,
  { eventId }: InputOf<typeof eventCard>,
): Promise<ReplyOf<typeof eventCard>> {
  await authorizeEvent(deps, actor, 'event.view', eventId);
  return { event: await eventOf(deps, actor, eventId) };
}

export async function eventOf(deps: Pick<Deps, 'db' | 'publicUrl' | 'payoutBrakes'>, actor: Actor, eventId: string) {
  const [event] = (await listOrganizerEvents(deps, { ...actor, onlyEventIds: [eventId] })).events;
  if (!event) throw new AppError('event.not-found');
  return event;
}

export async function readMoney(
  deps: Deps,
  actor: Actor,
  { eventId }: InputOf<typeof eventMoney>,
): Promise<ReplyOf<typeof eventMoney>> {
  await authorizeEvent(deps, actor, 'payout.view', eventId);
  return {
    event: await eventOf(deps, actor, eventId),
    role: actor.role,
    isPayoutAccountUnconfirmed: await isPayoutAccountUnconfirmed(deps, actor.organizationId),
    automatic: await automaticPayoutsOf(deps, actor),
    disputes: isAllowed(actor, 'dispute.answer')
      ? await listOwnDisputes(deps.db, { ...actor, onlyEventIds: [eventId] })
      : [],
  };
}
