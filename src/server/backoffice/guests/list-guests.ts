import type { guestPage } from '#contract/app/guests.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { GUESTS_PER_PAGE, SUBSTRING_SEARCH_GUESTS_MAX } from '#domain/limits.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { countIssued } from '#server/events/totals/ticket-totals.sql.ts';
import { detailsOfTickets } from '#server/orders/details/order-guests.sql.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { guestPageReply } from './guests.replies.ts';
import { type GuestRow, guestsByAddress, guestsByNumber, guestsContaining, guestsInOrderOfSale } from './guests.sql.ts';

export async function listGuests(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  { eventId, after, q, all, limit = GUESTS_PER_PAGE }: InputOf<typeof guestPage>,
): Promise<ReplyOf<typeof guestPage>> {
  await authorizeEvent(deps, actor, 'guest.view', eventId);
  // One extra row tells whether there is a next page.
  const query = { eventId, after: after ?? null, limit: limit + 1 };
  const isByBeginning = (await countIssued(deps.db, eventId)) > SUBSTRING_SEARCH_GUESTS_MAX;
  const found = await rows();
  const details = await detailsOfTickets(
    deps.db,
    found.map(({ id }) => ({ eventId, id })),
  );
  return { ...guestPageReply(found, limit, details), isByBeginning };

  async function rows(): Promise<GuestRow[]> {
    if (!q) return guestsInOrderOfSale(deps.db, { ...query, isWhole: Boolean(all) });
    // A search also finds refunded tickets, because it usually asks what happened to a ticket.
    if (!isByBeginning) return guestsContaining(deps.db, { ...query, text: q });
    return guestsWithPrefix(deps.db, { ...query, beginning: q });
  }
}

const NUMBER_PREFIX = /^\d{1,10}$/;

/** Falls back to addresses, which can start with digits too. */
async function guestsWithPrefix(db: Db, query: Parameters<typeof guestsByAddress>[1]): Promise<GuestRow[]> {
  const found = NUMBER_PREFIX.test(query.beginning) ? await guestsByNumber(db, query) : [];
  return found.length > 0 ? found : guestsByAddress(db, query);
}
