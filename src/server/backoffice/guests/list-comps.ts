/** The screen of an event's guests at no charge. */
import type { comps as endpoint } from '#contract/app/sales/comps.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { denyAnyEdit } from '#domain/event-schedule.ts';
import { COMPS_PER_PAGE } from '#domain/limits.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { eventRow, ticketTypeRows } from '#server/events/events.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { compCounts, compRows, hasOpenBatch } from './comps.sql.ts';
import { guestState } from './guests.replies.ts';

export async function listComps(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { eventId, after }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  await authorizeEvent({ db }, actor, 'comp.manage', eventId);
  const [event, types, counts, isImporting, rows] = await Promise.all([
    eventRow(db, eventId),
    ticketTypeRows(db, [eventId]),
    compCounts(db, [eventId]),
    hasOpenBatch(db, eventId),
    // One extra row tells whether there is a next page.
    compRows(db, { eventId, after: after ?? null, limit: COMPS_PER_PAGE + 1 }),
  ]);
  if (!event) throw new AppError('event.not-found');
  const page = rows.slice(0, COMPS_PER_PAGE);
  const denial = denyAnyEdit({ ...event, isPaidOut: event.payoutRequestedAt !== null });
  return {
    title: event.title,
    denial: denial ?? (event.endsAt <= event.now ? 'event-ended' : null),
    types: types.map((type) => ({ ticketId: type.id, ticketName: type.name, available: type.availableToBuy })),
    count: counts.get(eventId) ?? 0,
    isImporting: isImporting && event.cancelledAt === null,
    comps: page.map(({ id, buyerEmail, name, doorNote, confirmationNumber, ticketName, ...ticket }) => ({
      ticketId: id,
      email: buyerEmail,
      name,
      doorNote,
      confirmationNumber,
      ticketName,
      state: guestState(ticket),
    })),
    compsNext: rows.length > COMPS_PER_PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}
