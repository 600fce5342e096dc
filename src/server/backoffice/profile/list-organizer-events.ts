import type { OrganizerEvent } from '#contract/app/events.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { EVENTS_MAX, GUESTS_PER_PAGE } from '#domain/limits.ts';
import { compCounts } from '#server/backoffice/guests/comps.sql.ts';
import { guestPageReply } from '#server/backoffice/guests/guests.replies.ts';
import { firstGuestsOf } from '#server/backoffice/guests/guests.sql.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { eventRowsOf, ticketTypeRows } from '#server/events/events.sql.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import { rollUpSoon } from '#server/events/totals/roll-up-totals.ts';
import { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import { detailsOfTickets } from '#server/orders/details/order-guests.sql.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import { cancellationProgress } from '#server/payments/refunds/refund-cancelled-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { organizerEventReply } from './profile.replies.ts';

/** The first of the member's events, each with the first page of its guest list. */
export async function listOrganizerEvents(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'payoutBrakes'>,
  actor: Actor,
): Promise<{ events: OrganizerEvent[] }> {
  const { db } = deps;
  const events = await eventRowsOf(db, actor.organizationId, { only: actor.onlyEventIds, limit: EVENTS_MAX });
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
  return { events: replies };
}
