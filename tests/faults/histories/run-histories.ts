/**
 * Runs many histories at once in one app, one event each. They share the clock and the external faults. The seed
 * decides everything except the interleaving of concurrent steps.
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
  /** Runs only these histories, with the same choices, clock and faults. */
  only?: readonly number[] | undefined;
}

const FIRST_ROUNDS = 5;
const AT_ONCE = 6;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Drawn for each round while most events are on sale: a sale changes within minutes. */
const FIRST_PAUSES = [0, MINUTE, 8 * MINUTE, 40 * MINUTE, 3 * HOUR];
/** Shuffled and used afterwards. Their sum reaches past the last event's payout. */
const LATER_PAUSES = [40 * MINUTE, 13 * HOUR, 25 * HOUR, 26 * HOUR, 25 * HOUR];

export interface Batch {
  /** Every error at the end, with the history behind it. */
  findings: string[];
  /** Number of occurrences of each kind, such as `refunds sent`. */
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
    // Retries part of the unfinished work at once, while faults last and every idempotency key is still valid.
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
  // All devices are back online at the end.
  await eachOf(told, (history) => handIn({ app, history, ways: waysInside(app) }));
  return happenings;
}

/** Runs each scheduled job twice at once, as when a worker that only hung was presumed dead. */
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
  // Counted here, because the purge removes them.
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
