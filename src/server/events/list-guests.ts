import type { InputOf } from '#contract/endpoint.ts';
import { eventNotFound } from '#contract/events.ts';
import type { guestPage } from '#contract/guests.ts';
import { GUESTS_PER_PAGE } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { notFound } from '#server/refusal.ts';
import { type GuestPage, guestPageReply } from './events.replies.ts';
import { guestRows } from './events.sql.ts';
import { isOrganizerOf } from './is-organizer-of.ts';

export async function listGuests(
  deps: Pick<Deps, 'db'>,
  organizerId: string,
  { eventId, after, q, all, limit = GUESTS_PER_PAGE }: InputOf<typeof guestPage>,
): Promise<GuestPage> {
  if (!(await isOrganizerOf(deps, organizerId, eventId))) throw notFound(eventNotFound);
  // One more than asked for tells whether there is a next page.
  const query = { eventId, after: after ?? null, search: q || null, limit: limit + 1 };
  // Whoever looks for one guest wants to know what became of the ticket.
  const rows = await guestRows(deps.db, { ...query, isWhole: Boolean(q || all) });
  return guestPageReply(rows, limit);
}
