import { calledAt, denyTurn, waitingRoomOpensAt } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { networkHash } from '#server/platform/client-network.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { addPass, findPass, type Pass, positionOf, type WaitingRoomState } from './pass.ts';
import { isPassUsed, readSale } from './sale.ts';
import { type Arrivals, assignPositions } from './waiting-room.sql.ts';

interface Visit {
  eventId: string;
  ip: string;
  /** The browser's current cookie of passes. */
  cookie: string | undefined;
}

type WaitingRoomDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'networkLimits' | 'appSecret'>;

/** Returns the pass's position, and the new cookie if a pass was issued. */
export async function joinWaitingRoom(
  deps: WaitingRoomDeps,
  { eventId, ip, cookie }: Visit,
): Promise<{ position: number | null; arrival: number; cookie: string | null }> {
  const { clock, appSecret } = deps;
  const room = (await readSale(deps, eventId))?.room;
  if (!room) throw new AppError('waiting-room.none');
  const start = room.rates[0]?.since;
  if (start && clock.now() < waitingRoomOpensAt(start)) throw new AppError('waiting-room.not-open');

  const existing = findPass(cookie, { eventId, room }, appSecret);
  if (existing && (await isPassUsable(deps, room, existing)))
    return { position: positionOf(existing, room, appSecret), arrival: existing.arrival, cookie: null };

  await consumeLimit(deps.rateLimiter, 'waiting-room', ip);
  const passesMax = deps.networkLimits.waitingRoomPasses;
  const network = passesMax === null ? null : networkHash(appSecret, eventId, ip);
  const arrival = await positionBatcher(deps.db).run({ eventId, networkHash: network, passesMax });
  if (arrival === null) throw new AppError('waiting-room.network-limit');
  const pass = { eventId, arrival };
  return { position: positionOf(pass, room, appSecret), arrival, cookie: addPass(cookie, pass, appSecret) };
}

async function isPassUsable(deps: WaitingRoomDeps, room: WaitingRoomState, pass: Pass): Promise<boolean> {
  const position = positionOf(pass, room, deps.appSecret);
  const denial = position === null ? 'not-your-turn' : denyTurn(calledAt(position, room.rates), deps.clock.now());
  return denial === 'not-your-turn' || (denial === null && !(await isPassUsed(deps, pass)));
}

interface Arrival {
  eventId: string;
  networkHash: number | null;
  passesMax: number | null;
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
  const rows = await assignPositions(db, [...groups.values()], arrivals[0]?.passesMax ?? null);

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
