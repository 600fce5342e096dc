import type { OrganizerEvent } from '#contract/events.ts';
import { GUESTS_PER_PAGE } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { listPayouts } from '#server/payouts/list-payouts.ts';
import { listPhotos } from '#server/photos/list-photos.ts';
import { cancellationProgress } from '#server/refunds/cancellation-progress.ts';
import { eventUrl } from './event-url.ts';
import { guestPageReply, organizerEventReply } from './events.replies.ts';
import { eventRowsOf, guestRows, salesTotals, ticketTypeRows } from './events.sql.ts';

/** Newest first, each with the first page of its guest list. */
export async function listOrganizerEvents(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  organizerId: string,
): Promise<OrganizerEvent[]> {
  const { db } = deps;
  const events = await eventRowsOf(db, organizerId);
  const ids = events.map((event) => event.id);
  const [types, photosOf, totals, cancellationOf, payoutOf] = await Promise.all([
    ticketTypeRows(db, ids),
    listPhotos(deps, ids),
    salesTotals(db, ids),
    cancellationProgress(deps, ids),
    listPayouts(deps, ids),
  ]);

  return Promise.all(
    events.map(async (event) => {
      const firstGuests = { eventId: event.id, after: null, search: null, isWhole: false, limit: GUESTS_PER_PAGE + 1 };
      return organizerEventReply({
        event,
        types: types.filter((type) => type.eventId === event.id),
        photos: photosOf(event.id),
        totals: totals.find((total) => total.eventId === event.id),
        cancellation: cancellationOf(event.id),
        payout: payoutOf(event.id),
        guests: guestPageReply(await guestRows(db, firstGuests), GUESTS_PER_PAGE),
        eventUrl: eventUrl(deps, event.id),
      });
    }),
  );
}
