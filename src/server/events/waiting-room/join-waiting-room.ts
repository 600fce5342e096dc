import { calledAt, denyTurn, waitingRoomOpensAt } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { addPass, findPass, type Pass, positionOf, type WaitingRoomState } from './pass.ts';
import { isPassUsed, readSale } from './sale.ts';
import { assignPositions } from './waiting-room.sql.ts';

interface Visit {
  eventId: string;
  ip: string;
  /** The browser's current cookie of passes. */
  cookie: string | undefined;
}

type WaitingRoomDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret'>;

/** Returns the pass's position, and the new cookie if a pass was issued. */
export async function joinWaitingRoom(
  deps: WaitingRoomDeps,
  { eventId, ip, cookie }: Visit,
): Promise<{ position: number | null; cookie: string | null }> {
  const { clock, appSecret } = deps;
  const room = (await readSale(deps, eventId))?.room;
  if (!room) throw new AppError('waiting-room.none');
  const start = room.rates[0]?.since;
  if (start && clock.now() < waitingRoomOpensAt(start)) throw new AppError('waiting-room.not-open');

  const existing = findPass(cookie, { eventId, room }, appSecret);
  if (existing && (await isPassUsable(deps, room, existing)))
    return { position: positionOf(existing, room, appSecret), cookie: null };

  await consumeLimit(deps.rateLimiter, 'waiting-room', ip);
  const pass = { eventId, arrival: await positionBatcher(deps.db).run(eventId) };
  return { position: positionOf(pass, room, appSecret), cookie: addPass(cookie, pass, appSecret) };
}

async function isPassUsable(deps: WaitingRoomDeps, room: WaitingRoomState, pass: Pass): Promise<boolean> {
  const position = positionOf(pass, room, deps.appSecret);
  const denial = position === null ? 'not-your-turn' : denyTurn(calledAt(position, room.rates), deps.clock.now());
  return denial === 'not-your-turn' || (denial === null && !(await isPassUsed(deps, pass)));
}

/** Assigns one batch of arrivals in a single statement. */
const positionBatcher = perDatabase((db) =>
  openBatcher<string, number>({
    name: 'waiting room',
    one: async (eventId) => (await assignBatch(db, [eventId]))[0] ?? 0,
    many: (eventIds) => assignBatch(db, eventIds),
  }),
);

async function assignBatch(db: Db, eventIds: readonly string[]): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const eventId of eventIds) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  const rows = await assignPositions(
    db,
    [...counts].map(([eventId, count]) => ({ eventId, count })),
  );

  const next = new Map(rows.map(({ eventId, lastPass }) => [eventId, lastPass - (counts.get(eventId) ?? 0) + 1]));
  return eventIds.map((eventId) => {
    const position = next.get(eventId);
    if (position === undefined) throw new Error(`event ${eventId} has no waiting room row`);
    next.set(eventId, position + 1);
    return position;
  });
}
