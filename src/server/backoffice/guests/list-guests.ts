import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { eventNotFound } from '#contract/events.ts';
import type { guestPage } from '#contract/guests.ts';
import { GUESTS_PER_PAGE, SUBSTRING_SEARCH_GUESTS_MAX } from '#domain/limits.ts';
import { isOrganizerOf } from '#server/events/is-organizer-of.ts';
import { countIssued } from '#server/events/totals/ticket-totals.sql.ts';
import { notFound } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { guestPageReply } from './guests.replies.ts';
import { type GuestRow, guestsByAddress, guestsByNumber, guestsContaining, guestsInOrderOfSale } from './guests.sql.ts';

export async function listGuests(
  deps: Pick<Deps, 'db'>,
  organizerId: string,
  { eventId, after, q, all, limit = GUESTS_PER_PAGE }: InputOf<typeof guestPage>,
): Promise<ReplyOf<typeof guestPage>> {
  if (!(await isOrganizerOf(deps, organizerId, eventId))) throw notFound(eventNotFound);
  // One more than asked for tells whether there is a next page.
  const query = { eventId, after: after ?? null, limit: limit + 1 };
  const isByBeginning = (await countIssued(deps.db, eventId)) > SUBSTRING_SEARCH_GUESTS_MAX;
  return { ...guestPageReply(await rows(), limit), isByBeginning };

  async function rows(): Promise<GuestRow[]> {
    if (!q) return guestsInOrderOfSale(deps.db, { ...query, isWhole: Boolean(all) });
    // Whoever looks for one guest wants to know what became of the ticket: tickets that were given back are found too.
    if (!isByBeginning) return guestsContaining(deps.db, { ...query, text: q });
    return guestsBeginning(deps.db, { ...query, beginning: q });
  }
}

const BEGINNING_OF_NUMBER = /^\d{1,10}$/;

/** Addresses begin with digits, too. */
async function guestsBeginning(db: Db, query: Parameters<typeof guestsByAddress>[1]): Promise<GuestRow[]> {
  const found = BEGINNING_OF_NUMBER.test(query.beginning) ? await guestsByNumber(db, query) : [];
  return found.length > 0 ? found : guestsByAddress(db, query);
}
