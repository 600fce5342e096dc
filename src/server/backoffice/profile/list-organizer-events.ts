import type { OrganizerEvent } from '#contract/app/events.ts';
import { GUESTS_PER_PAGE } from '#domain/limits.ts';
import { guestPageReply } from '#server/backoffice/guests/guests.replies.ts';
import { firstGuestsOf } from '#server/backoffice/guests/guests.sql.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { eventRowsOf, ticketTypeRows } from '#server/events/events.sql.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import { cancellationProgress } from '#server/payments/refunds/refund-cancelled-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { organizerEventReply } from './profile.replies.ts';

/** Newest first, each with the first page of its guest list. */
export async function listOrganizerEvents(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  organizationId: string,
): Promise<OrganizerEvent[]> {
  const { db } = deps;
  const events = await eventRowsOf(db, organizationId);
  const ids = events.map((event) => event.id);
  const cancelledIds = events.filter((event) => event.cancelledAt !== null).map((event) => event.id);
  const [types, photosOf, totals, guests, cancellationOf, payoutOf] = await Promise.all([
    ticketTypeRows(db, ids),
    listPhotos(deps, ids),
    ticketTotals(db, ids),
    firstGuestsOf(db, ids, GUESTS_PER_PAGE + 1),
    cancellationProgress(deps, cancelledIds),
    listPayouts(deps, ids),
  ]);
  await rollUpSoon(deps, totals);

  return events.map((event) =>
    organizerEventReply({
      event,
      types: types.filter((type) => type.eventId === event.id),
      photos: photosOf(event.id),
      totals: totals.filter((total) => total.eventId === event.id),
      cancellation: cancellationOf(event.id),
      payout: payoutOf(event.id),
      guests: guestPageReply(
        guests.filter((guest) => guest.eventId === event.id),
        GUESTS_PER_PAGE,
      ),
      eventUrl: eventUrl(deps, event.id),
    }),
  );
}

/** Beyond this many pending changes, reading the totals becomes noticeably slow. */
const CHANGES_MAX = 2000;

/** The scheduled roll-up runs every minute; a busy sale can accumulate too many changes in between. */
async function rollUpSoon({ db }: Pick<Deps, 'db'>, totals: Awaited<ReturnType<typeof ticketTotals>>): Promise<void> {
  const changes = totals.reduce((sum, total) => sum + total.changes, 0);
  if (changes > CHANGES_MAX) await enqueue(db, 'roll-up-ticket-totals', {}, { key: 'roll-up-ticket-totals' });
}
