import type { InputOf } from '#contract/endpoint.ts';
import { eventNotFound } from '#contract/events.ts';
import type { guestFile } from '#contract/guests.ts';
import { ownEventToExport } from '#server/events/events.sql.ts';
import { notFound } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { csvHead, csvLines } from './guest-csv.ts';
import { exportedGuest } from './guests.replies.ts';
import { guestsToExport } from './guests.sql.ts';

const CHUNK = 1000;

export interface GuestFile {
  fileName: string;
  /** Made piece by piece, as fast as the reader takes them. */
  pieces: AsyncIterable<string>;
}

/** Everyone on the list, whatever its length: nothing is held in memory but one piece of it. */
export async function exportGuests(
  deps: Pick<Deps, 'db'>,
  organizerId: string,
  { eventId, all }: InputOf<typeof guestFile>,
): Promise<GuestFile> {
  const event = await ownEventToExport(deps.db, organizerId, eventId);
  if (!event) throw notFound(eventNotFound);
  const { title, day, timezone } = event;
  return {
    fileName: `Guests of ${title} ${day}.csv`,
    pieces: piecesOf(deps, { eventId, timezone, isWhole: Boolean(all) }),
  };
}

/** A statement of its own for each piece: one that lasted as long as the download would keep old rows alive in a sale. */
async function* piecesOf({ db }: Pick<Deps, 'db'>, list: { eventId: string; timezone: string; isWhole: boolean }) {
  yield csvHead(list.timezone);
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const rows = await guestsToExport(db, { ...list, after, limit: CHUNK });
    if (rows.length > 0) yield csvLines(rows.map(exportedGuest), list.timezone);
    after = rows.at(-1)?.id ?? null;
    isLast = rows.length < CHUNK;
  }
}
