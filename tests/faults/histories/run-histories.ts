/**
 * Tells many histories at once, each of its own event, in one app: they share the clock and the trouble outside.
 * Every choice comes from the seed; only the interleaving of what happens at the same time does not.
 */
import { advance, hurryJobs, queueRecurringJobs, runEverything } from '#tests/support/heal.ts';
import { clearFaults } from '#tests/support/money.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { History } from './history.ts';
import { judge } from './judge.ts';
import { moves } from './moves.ts';
import { handIn } from './moves-at-the-door.ts';
import { giveFloat, newHistories, startTroubledApp, type Trouble } from './open-stage.ts';
import { planTrouble } from './plan-trouble.ts';
import { SeededRandom } from './seeded-random.ts';
import { waysInside } from './ways-inside.ts';

export interface BatchOptions {
  seed: number;
  histories: number;
  /** Tells only these of them, with the same choices, clock and trouble. */
  only?: readonly number[] | undefined;
}

const FIRST_ROUNDS = 5;
const AT_ONCE = 6;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** While most events are on sale, drawn for each round: everything that can happen to a sale happens within minutes. */
const FIRST_PAUSES = [0, MINUTE, 8 * MINUTE, 40 * MINUTE, 3 * HOUR];
/** After that, dealt in any order: together they lead past the day on which the last event is paid out. */
const LATER_PAUSES = [40 * MINUTE, 13 * HOUR, 25 * HOUR, 26 * HOUR, 25 * HOUR];

export interface Batch {
  /** Everything that is wrong at the end, with what led to it. */
  findings: string[];
  /** How often each kind of thing came about, such as `refunds sent`. */
  tally: Record<string, number>;
}

export async function runBatch({ seed, histories, only }: BatchOptions): Promise<Batch> {
  const random = new SeededRandom(seed);
  const { app, trouble } = await startTroubledApp(random.fork(-1));
  try {
    await giveFloat(app);
    const indexes = Array.from({ length: histories }, (_, index) => index);
    const told = await newHistories(
      app,
      random.fork(-2),
      indexes.filter((index) => only?.includes(index) ?? true).map((index) => ({ index, name: `${seed}.${index}` })),
    );
    const happenings = await tell(app, random.fork(-3), trouble, told);
    const found = await judge(app, told, happenings);
    return { findings: found, tally: await tallyOf(app, told) };
  } finally {
    await app.close();
  }
}

async function tell(app: TestApp, random: SeededRandom, trouble: Trouble, told: History[]): Promise<string[]> {
  const happenings: string[] = [];
  const firstPauses = Array.from({ length: FIRST_ROUNDS }, () => random.pick(FIRST_PAUSES));
  for (const [round, seconds] of [...firstPauses, ...random.shuffled(LATER_PAUSES)].entries()) {
    happenings.push(...(await planTrouble(app, random)));
    trouble.jobCrashes = random.pick([0, 0, 0.1, 0.3]);
    await eachOf(told, (history) => act(app, history));
    // Some of what was left undone is tried again at once, while the trouble lasts and every key is still known.
    if (random.chance(0.6)) await retryInTrouble(app);

    happenings.push(`round ${round} ends, ${seconds} s pass`);
    for (const { log } of told) log.push(`-- round ${round} ends, ${seconds} s pass`);
    if (random.chance(0.3)) {
      trouble.jobCrashes = 0;
      await clearFaults(app);
      await runEverything(app);
    }
    await advance(app, seconds);
  }
  trouble.jobCrashes = 0;
  // In the end every device is back.
  await eachOf(told, (history) => handIn({ app, history, ways: waysInside(app) }));
  return happenings;
}

/** Each job of the timetable is done by two at once, as where a worker was taken for lost that only stood still. */
async function retryInTrouble({ db, settle }: TestApp): Promise<void> {
  await queueRecurringJobs(db);
  await queueRecurringJobs(db);
  await hurryJobs(db);
  await settle();
}

async function act(app: TestApp, history: History): Promise<void> {
  const ways = waysInside(app);
  const times = history.random.between(0, 3);
  const isOver = app.now() >= history.endsAt ? 1 : 0;
  const likely = moves.map((move) => ({ move, weight: move.weights[isOver] }));
  for (let time = 0; time < times; time++) {
    const { move } = history.random.pickWeighted(likely);
    history.log.push(`${move.name}`);
    await move.make({ app, history, ways });
  }
}

async function tallyOf({ db }: TestApp, told: readonly History[]): Promise<Record<string, number>> {
  const tally: Record<string, number> = {};
  const count = (what: string, times = 1) => {
    tally[what] = (tally[what] ?? 0) + times;
  };
  for (const { log } of told)
    for (const line of log) count(`${/: (done|refused|unknown|broken)\b/.exec(line)?.[1] ?? 'other'} tries`);
  for (const table of ['orders', 'tickets', 'refunds', 'payouts', 'disputes', 'recoveries'] as const) {
    const rows = await db
      .selectFrom(table)
      .groupBy('state')
      .select((column) => ['state', column.fn.countAll<number>().as('times')])
      .execute();
    for (const { state, times } of rows) count(`${table} ${state}`, Number(times));
  }
  // Of these the product itself forgets in the end.
  for (const { handedIn } of told) for (const { outcome } of handedIn.values()) count(`offline scans ${outcome}`);
  return tally;
}

async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  });
  await Promise.all(workers);
}
