import { noWaitingRoom, roomNotOpen } from '#contract/waiting-room.ts';
import { calledAt, denyTurn, waitingRoomOpensAt } from '#domain/waiting-room.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { numberOf, type Pass, passIn, withPass } from './pass.ts';
import { readSale, type WaitingRoomState } from './read-sale.ts';
import { isPassUsed } from './used-pass.ts';
import { assignNumbers } from './waiting-room.sql.ts';

interface Visit {
  eventId: string;
  ip: string;
  /** The browser's present cookie. */
  cookie: string | undefined;
}

type WaitingRoomDeps = Pick<Deps, 'db' | 'clock' | 'tries' | 'appSecret'>;

/** Answers the number of the browser's place, and its new cookie where it got a new place. */
export async function joinWaitingRoom(
  deps: WaitingRoomDeps,
  { eventId, ip, cookie }: Visit,
): Promise<{ place: number | null; cookie: string | null }> {
  const { clock, appSecret } = deps;
  const room = (await readSale(deps, eventId))?.room;
  if (!room) throw notFound(noWaitingRoom);
  const start = room.paces[0]?.since;
  if (start && clock.now() < waitingRoomOpensAt(start)) throw conflict(roomNotOpen);

  const own = passIn(cookie, { eventId, room }, appSecret);
  if (own && (await isStillGood(deps, room, own))) return { place: numberOf(own, room, appSecret), cookie: null };

  await consumeLimit(deps.tries, 'waiting-room', ip);
  const place = { eventId, arrival: await arrivals(deps.db).run(eventId) };
  return { place: numberOf(place, room, appSecret), cookie: withPass(cookie, place, appSecret) };
}

async function isStillGood(deps: WaitingRoomDeps, room: WaitingRoomState, place: Pass): Promise<boolean> {
  const number = numberOf(place, room, deps.appSecret);
  const obstacle = number === null ? 'not-your-turn' : denyTurn(calledAt(number, room.paces), deps.clock.now());
  return obstacle === 'not-your-turn' || (obstacle === null && !(await isPassUsed(deps, place)));
}

/** Everyone who arrives while a batch is under way gets a number from one statement. */
const arrivals = perDatabase((db) =>
  openBatcher<string, number>({
    name: 'waiting room',
    one: async (eventId) => (await arrive(db, [eventId]))[0] ?? 0,
    many: (eventIds) => arrive(db, eventIds),
  }),
);

async function arrive(db: Db, eventIds: readonly string[]): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const eventId of eventIds) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  const rows = await assignNumbers(
    db,
    [...counts].map(([eventId, count]) => ({ eventId, count })),
  );

  const next = new Map(rows.map(({ eventId, given }) => [eventId, given - (counts.get(eventId) ?? 0) + 1]));
  return eventIds.map((eventId) => {
    const number = next.get(eventId);
    if (number === undefined) throw new Error(`event ${eventId} has lost its waiting room`);
    next.set(eventId, number + 1);
    return number;
  });
}
