import { denyTurn, roomTime, waitingRoomOpensAt } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { networkHash } from '#server/platform/client-network.ts';
import type { Db } from '#server/platform/database.ts';
import { inTransaction, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { turnOf } from './advance-room.ts';
import { addPass, findPass, newPass, type Pass, positionOf, type WaitingRoomState } from './pass.ts';
import { insertPresence, type SeenPasses } from './presence.sql.ts';
import { minuteOf, notePoll } from './presence.ts';
import { isPassUsed, readSale } from './sale.ts';
import { type Arrivals, type AssignedPasses, assignPositions } from './waiting-room.sql.ts';

interface Visit {
  eventId: string;
  ip: string;
  /** The browser's current cookie of passes. */
  cookie: string | undefined;
}

type WaitingRoomDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'networkLimits' | 'appSecret'>;

interface Place {
  position: number | null;
  arrival: number;
  /** Null unless the pass came up while its page was closed. */
  returnsAt: string | null;
}

/** Returns the pass's position, and the new cookie if a pass was issued. */
export async function joinWaitingRoom(
  deps: WaitingRoomDeps,
  { eventId, ip, cookie }: Visit,
): Promise<Place & { cookie: string | null }> {
  const { clock, appSecret } = deps;
  const room = (await readSale(deps, eventId))?.room;
  if (!room) throw new AppError('waiting-room.none');
  const start = room.rates[0]?.since;
  if (start && clock.now() < waitingRoomOpensAt(start)) throw new AppError('waiting-room.not-open');

  const existing = findPass(cookie, { eventId, room }, appSecret);
  const place = existing && (await usablePlace(deps, room, existing));
  if (place) {
    notePoll(deps, { eventId, room, cookie });
    return { ...place, cookie: null };
  }

  await consumeLimit(deps.rateLimiter, 'waiting-room', ip);
  const passesMax = deps.networkLimits.waitingRoomPasses;
  const network = passesMax === null ? null : networkHash(appSecret, eventId, ip);
  const arrival = await positionBatcher(deps.db).run({ eventId, networkHash: network, passesMax, at: clock.now() });
  if (arrival === null) throw new AppError('waiting-room.network-limit');
  const pass = newPass(appSecret, eventId, arrival);
  return { position: positionOf(pass, room), arrival, returnsAt: null, cookie: addPass(cookie, pass, appSecret) };
}

/** Null once its turn has passed or was used. */
async function usablePlace(deps: WaitingRoomDeps, room: WaitingRoomState, pass: Pass): Promise<Place | null> {
  const { eventId, arrival } = pass;
  const position = positionOf(pass, room);
  if (position === null) return { position, arrival, returnsAt: null };
  const turn = await turnOf(deps, { eventId, position, room });
  const denial = denyTurn(turn.calledAt, roomTime(deps.clock.now(), room.pausedAt));
  const isUsable = denial === 'not-your-turn' || (denial === null && !(await isPassUsed(deps, pass)));
  return isUsable ? { position, arrival, returnsAt: turn.wasSkipped ? turn.calledAt.toISOString() : null } : null;
}

interface Arrival {
  eventId: string;
  networkHash: number | null;
  passesMax: number | null;
  at: Date;
}

/** Assigns one batch of arrivals in a single statement; null for a network that has enough passes. */
const positionBatcher = perDatabase((db) =>
  openBatcher<Arrival, number | null>({
    name: 'waiting room',
    one: async (arrival) => (await assignBatch(db, [arrival]))[0] ?? null,
    many: (arrivals) => assignBatch(db, arrivals),
  }),
);

async function assignBatch(db: Db, arrivals: readonly Arrival[]): Promise<(number | null)[]> {
  const groups = new Map<string, Arrivals>();
  for (const { eventId, networkHash } of arrivals) {
    const group = groups.get(keyOf({ eventId, networkHash })) ?? { eventId, networkHash, count: 0 };
    group.count += 1;
    groups.set(keyOf(group), group);
  }
  return inTransaction(db, async (tx) => {
    const rows = await assignPositions(tx, [...groups.values()], arrivals[0]?.passesMax ?? null);
    const assigned = distribute(arrivals, rows);
    // In the same commit, so that no server skips a pass that was just issued.
    await insertPresence(tx, seenOf(arrivals, assigned));
    return assigned;
  });
}

function seenOf(arrivals: readonly Arrival[], assigned: readonly (number | null)[]): SeenPasses[] {
  const seen = new Map<string, { eventId: string; minute: number; arrivals: Set<number> }>();
  for (const [index, { eventId, at }] of arrivals.entries()) {
    const arrival = assigned[index] ?? null;
    if (arrival === null) continue;
    const minute = minuteOf(at);
    const one = seen.get(`${eventId} ${minute}`) ?? { eventId, minute, arrivals: new Set() };
    one.arrivals.add(arrival);
    seen.set(`${eventId} ${minute}`, one);
  }
  return [...seen.values()];
}

function distribute(arrivals: readonly Arrival[], rows: readonly AssignedPasses[]): (number | null)[] {
  const left = new Map(rows.map((row) => [keyOf(row), row.granted]));
  const next = new Map<string, number>();
  for (const { eventId, granted, lastPass } of rows) next.set(eventId, (next.get(eventId) ?? lastPass + 1) - granted);
  return arrivals.map((arrival) => {
    const position = next.get(arrival.eventId);
    if (position === undefined) throw new Error(`event ${arrival.eventId} has no waiting room row`);
    const granted = left.get(keyOf(arrival)) ?? 0;
    if (granted === 0) return null;
    left.set(keyOf(arrival), granted - 1);
    next.set(arrival.eventId, position + 1);
    return position;
  });
}

const keyOf = ({ eventId, networkHash }: Pick<Arrivals, 'eventId' | 'networkHash'>) => `${eventId} ${networkHash}`;
