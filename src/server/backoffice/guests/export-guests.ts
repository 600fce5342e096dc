import type { guestFile } from '#contract/app/guests.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { guestFileColumns } from '#messages/guests.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { ownEventToExport } from '#server/events/events.sql.ts';
import { questionsEverAsked } from '#server/events/guest-form/guest-form.sql.ts';
import { detailsOfTickets } from '#server/orders/details/order-guests.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { BYTE_ORDER_MARK, csvLine } from '#server/platform/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { exportedGuest } from './guests.replies.ts';
import { guestsToExport, whatGuestsHave } from './guests.sql.ts';

const ROWS_PER_PIECE = 1000;

export interface GuestFile {
  fileName: string;
  /** Generated on demand, as fast as the client reads. */
  chunks: AsyncIterable<string>;
}

/** Streams the whole guest list with one piece in memory at a time. */
export async function exportGuests(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  { eventId, all }: InputOf<typeof guestFile>,
): Promise<GuestFile> {
  await authorizeEvent(deps, actor, 'guest.export', eventId);
  await consumeLimit(deps.rateLimiter, 'export-guests', actor.userId);
  const event = await ownEventToExport(deps.db, actor.organizationId, eventId);
  if (!event) throw new AppError('event.not-found');
  const { title, day, timezone } = event;
  await recordAuditEvent(deps.db, {
    action: 'export-guests',
    by: actor,
    subject: eventId,
    eventId,
    at: deps.clock.now(),
  });
  return {
    fileName: `Guests of ${title} ${day}.csv`,
    chunks: piecesOf(deps, { eventId, timezone, isWhole: Boolean(all) }),
  };
}

/** One statement per piece: a single one would last as long as the download, and keep vacuum from removing dead rows. */
async function* piecesOf({ db }: Pick<Deps, 'db'>, list: { eventId: string; timezone: string; isWhole: boolean }) {
  const questions = await questionsEverAsked(db, list.eventId);
  const known = await whatGuestsHave(db, list.eventId);
  const columns = guestFileColumns({
    timezone: list.timezone,
    hasDoorNotes: known.hasDoorNotes,
    questions,
  });
  yield BYTE_ORDER_MARK + csvLine(columns.map(([heading]) => heading));
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const rows = await guestsToExport(db, { ...list, after, limit: ROWS_PER_PIECE });
    const details = await detailsOfTickets(
      db,
      rows.map(({ id }) => ({ eventId: list.eventId, id })),
    );
    const detailsOf = new Map(details.map((one) => [one.ticketId, one]));
    if (rows.length > 0)
      yield rows
        .map((row) => exportedGuest(row, detailsOf.get(row.id)))
        .map((guest) => csvLine(columns.map(([, cellOf]) => cellOf(guest))))
        .join('');
    after = rows.at(-1)?.id ?? null;
    isLast = rows.length < ROWS_PER_PIECE;
  }
}
