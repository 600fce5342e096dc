import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Passes of one event, by their arrival. */
export interface SeenPasses {
  eventId: string;
  minute: number;
  arrivals: ReadonlySet<number>;
}

/** Bits of a row. */
const BLOCK = 64;

/** In one order, because several servers write the same rows. */
export async function insertPresence(db: Db, seen: readonly SeenPasses[]): Promise<void> {
  const rows = seen.flatMap(({ eventId, minute, arrivals }) =>
    [...blocksOf(arrivals)].map(([block, bits]) => ({ eventId, minute, block, bits: bits.join('') })),
  );
  await sql`
    insert into waiting_room_presence as p (event_id, minute, block, seen)
    select s.event_id, s.minute, s.block, s.bits::bit(64)
      from unnest(${rows.map((row) => row.eventId)}::text[], ${rows.map((row) => row.minute)}::int[],
                  ${rows.map((row) => row.block)}::bigint[], ${rows.map((row) => row.bits)}::text[]) as s (event_id, minute, block, bits)
     order by s.event_id, s.minute, s.block
        on conflict (event_id, minute, block) do update set seen = p.seen | excluded.seen`.execute(db);
}

function blocksOf(arrivals: ReadonlySet<number>): Map<number, number[]> {
  const blocks = new Map<number, number[]>();
  for (const arrival of arrivals) {
    const block = Math.floor(arrival / BLOCK);
    const bits = blocks.get(block) ?? Array<number>(BLOCK).fill(0);
    bits[arrival % BLOCK] = 1;
    blocks.set(block, bits);
  }
  return blocks;
}

/** The last minute, from the given one on, in which each pass's page polled. */
export async function presenceSince(db: Db, eventId: string, minute: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ minute: number; block: number; seen: string }>`
    select minute, block, seen::text as seen from waiting_room_presence
     where event_id = ${eventId} and minute >= ${minute}
     order by minute`.execute(db);
  const last = new Map<number, number>();
  for (const { minute, block, seen } of rows)
    for (let bit = seen.indexOf('1'); bit >= 0; bit = seen.indexOf('1', bit + 1)) last.set(block * BLOCK + bit, minute);
  return last;
}

export async function forgetPresence(db: Db, eventId: string, before: number): Promise<void> {
  await db.deleteFrom('waitingRoomPresence').where('eventId', '=', eventId).where('minute', '<', before).execute();
}

export async function insertSkips(db: Db, eventId: string, positions: readonly number[]): Promise<void> {
  await sql`
    insert into waiting_room_skips (event_id, position) select ${eventId}, unnest(${positions}::bigint[])`.execute(db);
}

/** Null if the position was not skipped. */
export async function findSkip(db: Db, eventId: string, position: number): Promise<{ calledAt: Date | null } | null> {
  const skips = db.selectFrom('waitingRoomSkips').where('eventId', '=', eventId).where('position', '=', position);
  return (await skips.select('calledAt').executeTakeFirst()) ?? null;
}

export async function updateSkip(db: Db, eventId: string, position: number, calledAt: Date): Promise<void> {
  await db
    .updateTable('waitingRoomSkips')
    .set({ calledAt })
    .where('eventId', '=', eventId)
    .where('position', '=', position)
    .execute();
}

/** Their turns were interrupted: a pause costs no turn. */
export async function postponeReturns(
  db: Db,
  eventId: string,
  { from, byMs }: { from: Date; byMs: number },
): Promise<void> {
  await sql`
    update waiting_room_skips set called_at = called_at + make_interval(secs => ${byMs / 1000})
     where event_id = ${eventId} and called_at > ${from}`.execute(db);
}

/** Of all positions after this one. */
export async function forgetSkips(db: Db, eventId: string, after: number): Promise<void> {
  await db.deleteFrom('waitingRoomSkips').where('eventId', '=', eventId).where('position', '>', after).execute();
}
