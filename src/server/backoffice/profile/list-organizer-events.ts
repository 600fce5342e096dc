import type { eventPage } from '#contract/app/events.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { EVENTS_PER_PAGE, GUESTS_PER_PAGE } from '#domain/limits.ts';
import { authorize } from '#server/accounts/policies.ts';
import { compCounts } from '#server/backoffice/guests/comps.sql.ts';
import { guestPageReply } from '#server/backoffice/guests/guests.replies.ts';
import { firstGuestsOf } from '#server/backoffice/guests/guests.sql.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { type EventCursor, eventRowsOf, ticketTypeRows } from '#server/events/events.sql.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import { rollUpSoon } from '#server/events/totals/roll-up-totals.ts';
import { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import { detailsOfTickets } from '#server/orders/details/order-guests.sql.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import { cancellationProgress } from '#server/payments/refunds/refund-cancelled-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { organizerEventReply } from './profile.replies.ts';

type EventPage = ReplyOf<typeof eventPage>;

export function listEventPage(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'payoutBrakes'>,
  actor: Actor,
  { after }: InputOf<typeof eventPage>,
): Promise<EventPage> {
  authorize(actor, 'event.view');
  const [group, eventId = ''] = after.split('.');
  return listOrganizerEvents(deps, actor, { isActive: group === 'active', eventId });
}

/** A page of the member's events, each with the first page of its guest list. */
export async function listOrganizerEvents(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'payoutBrakes'>,
  actor: Actor,
  after: EventCursor | null = null,
): Promise<EventPage> {
  const { db } = deps;
  // One extra row tells whether there is a next page.
  const rows = await eventRowsOf(db, actor.organizationId, {
    only: actor.onlyEventIds,
    after,
    limit: EVENTS_PER_PAGE + 1,
  });
  const events = rows.slice(0, EVENTS_PER_PAGE);
  const last = rows.length > EVENTS_PER_PAGE ? events.at(-1) : undefined;
  const ids = events.map((event) => event.id);
  const cancelledIds = events.filter((event) => event.cancelledAt !== null).map((event) => event.id);
  const [types, photosOf, totals, comps, guests, cancellationOf, payoutOf] = await Promise.all([
    ticketTypeRows(db, ids),
    listPhotos(deps, ids),
    ticketTotals(db, ids),
    compCounts(db, ids),
    isAllowed(actor, 'guest.view') ? firstGuestsOf(db, ids, GUESTS_PER_PAGE + 1) : [],
    cancellationProgress(deps, cancelledIds),
    listPayouts(deps, ids),
  ]);
  const details = await detailsOfTickets(db, guests);
  await rollUpSoon(deps, totals);

  const replies = events.map((event) =>
    organizerEventReply(actor, {
      event,
      types: types.filter((type) => type.eventId === event.id),
      photos: photosOf(event.id),
      totals: totals.filter((total) => total.eventId === event.id),
      comps: comps.get(event.id) ?? 0,
      cancellation: cancellationOf(event.id),
      payout: payoutOf(event.id),
      guests: guestPageReply(
        guests.filter((guest) => guest.eventId === event.id),
        GUESTS_PER_PAGE,
        details,
      ),
      eventUrl: eventUrl(deps, event.id),
    }),
  );
  return { events: replies, eventsNext: last ? `${last.isActive ? 'active' : 'past'}.${last.id}` : null };
}
