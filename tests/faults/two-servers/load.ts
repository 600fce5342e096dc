/** Runs the people of the histories, each at an event of their own, all at once, until stopped. */
import { isUnavailable } from '#server/platform/database.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { type History, startHistory } from '../histories/history.ts';
import { moves } from '../histories/moves.ts';
import type { SeededRandom } from '../histories/seeded-random.ts';
import { insertEvent } from '../insert-event.ts';
import { httpClient, type Operation } from './http-client.ts';
import { type Actors, actorsAt, type TwoServers } from './open-two-servers.ts';

const HOUR = 60 * 60 * 1000;
/** Actions of people; events at the bank are covered by the histories. */
const PEOPLE_MOVES = new Set([
  'buy',
  'abandon a checkout',
  'pay late',
  'open the confirmation',
  'scan',
  'refund',
  'scan and refund at once',
  'scan offline',
  'sync',
  'scan and undo',
  'payout',
  'cancel',
]);
const ON_SALE = 4;
const ENDED = 3;
const ORDERS_BEFORE = 3;
const PAUSE_MS = 30;
const CANCELLED = `event-${ON_SALE + ENDED - 1}`;

export interface Crowd {
  stage: TwoServers;
  histories: History[];
  actors: Map<string, Actors>;
  operations: Operation[];
  /** Faults, in order. */
  timeline: string[];
}

/** Some events are on sale for days; others have ended and can be paid out. */
export async function gatherCrowd(stage: TwoServers, random: SeededRandom): Promise<Crowd> {
  const crowd: Crowd = { stage, histories: [], actors: new Map(), operations: [], timeline: [] };
  for (let index = 0; index < ON_SALE + ENDED; index++) {
    const endsAt = new Date(stage.now().getTime() + (index < ENDED ? 2 : 20 * 24) * HOUR);
    crowd.histories.push(await newEvent(stage, random.fork(index), `${index}`, endsAt));
  }
  await admitActors(crowd);
  const client = httpClient(stage, crowd.actors, crowd.operations);
  const buying = moves.find(({ name }) => name === 'buy');
  for (const history of crowd.histories.slice(0, ENDED))
    for (let order = 0; order < ORDERS_BEFORE; order++) await buying?.make({ app: stage, history, client });
  await stage.advance((2 + 24) * 60 * 60 + 60);
  await admitActors(crowd);
  return crowd;
}

async function admitActors({ stage, histories, actors }: Crowd): Promise<void> {
  for (const { eventId } of histories) actors.set(eventId, await actorsAt(stage, eventId));
}

async function newEvent(stage: TwoServers, random: SeededRandom, name: string, endsAt: Date): Promise<History> {
  const eventId = newPublicId();
  const { organizer } = stage;
  const types = [
    { name: 'Floor', priceCents: random.pick([2400, 3333, 10_000]), quantity: random.between(20, 400) },
    { name: 'Balcony', priceCents: random.pick([0, 77, 3850]), quantity: random.between(4, 30) },
  ];
  await insertEvent(stage.db, { now: stage.now(), eventId, ...organizer, title: `Crowd ${name}`, endsAt, types });
  return startHistory({ name: `event-${name}`, random, eventId, organizer, types, endsAt });
}

export interface Load {
  stop(): Promise<void>;
}

export function startLoad({ stage, histories, actors, operations }: Crowd): Load {
  const client = httpClient(stage, actors, operations);
  let isOver = false;
  const all = histories.map(async (history) => {
    const isEnded = stage.now() >= history.endsAt ? 1 : 0;
    const likely = moves
      // Cancels one event at a time, so that sales continue elsewhere.
      .filter(({ name }) => PEOPLE_MOVES.has(name) && (name !== 'cancel' || history.name === CANCELLED))
      .map((move) => ({ move, weight: move.weights[isEnded] }));
    while (!isOver) {
      const { move } = history.random.pickWeighted(likely);
      history.log.push(move.name);
      await unlessUnavailable(() => move.make({ app: stage, history, client }));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Ignores failed look-ups by the test while the database is down. */
async function unlessUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}
