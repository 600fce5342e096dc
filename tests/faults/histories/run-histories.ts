/**
 * Runs many histories at once in one app, one event each. They share the clock and the external faults. The seed
 * decides everything except the interleaving of concurrent steps.
 */
import { advance, hurryJobs, queueRecurringJobs, runEverything } from '#tests/support/heal.ts';
import { clearFaults } from '#tests/support/money.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { checkEndState } from './check-end-state.ts';
import { syncAll } from './check-in-moves.ts';
import type { History } from './history.ts';
import { inProcessClient } from './in-process-client.ts';
import { moves } from './moves.ts';
import { addFloat, type JobFaults, newHistories, startFaultyApp } from './open-stage.ts';
import { planFaults } from './plan-faults.ts';
import { SeededRandom } from './seeded-random.ts';

export interface BatchOptions {
  seed: number;
  histories: number;
  /** Runs only these histories, with the same choices, clock and faults. */
  only?: readonly number[] | undefined;
}

const FIRST_ROUNDS = 5;
const CONCURRENCY = 6;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Drawn for each round while most events are on sale: a sale changes within minutes. */
const FIRST_PAUSES = [0, MINUTE, 8 * MINUTE, 40 * MINUTE, 3 * HOUR];
/** Shuffled and used afterwards. Their sum reaches past the last event's payout. */
const LATER_PAUSES = [40 * MINUTE, 13 * HOUR, 25 * HOUR, 26 * HOUR, 25 * HOUR];

export interface Batch {
  /** Every error at the end, with the history behind it. */
  errors: string[];
  /** Number of occurrences of each kind, such as `refunds sent`. */
  tally: Record<string, number>;
}

export async function runBatch({ seed, histories, only }: BatchOptions): Promise<Batch> {
  const random = new SeededRandom(seed);
  const { app, faults } = await startFaultyApp(random.fork(-1));
  try {
    await addFloat(app);
    const indexes = Array.from({ length: histories }, (_, index) => index);
    const started = await newHistories(
      app,
      random.fork(-2),
      indexes.filter((index) => only?.includes(index) ?? true).map((index) => ({ index, name: `${seed}.${index}` })),
    );
    const timeline = await runRounds(app, random.fork(-3), faults, started);
    let tally: Record<string, number> = {};
    const errors = await checkEndState(app, started, timeline, async () => {
      tally = await tallyOf(app, started);
      return [];
    });
    return { errors, tally };
  } finally {
    await app.close();
  }
}

async function runRounds(
  app: TestApp,
  random: SeededRandom,
  faults: JobFaults,
  histories: History[],
): Promise<string[]> {
  const timeline: string[] = [];
  const firstPauses = Array.from({ length: FIRST_ROUNDS }, () => random.pick(FIRST_PAUSES));
  for (const [round, seconds] of [...firstPauses, ...random.shuffled(LATER_PAUSES)].entries()) {
    timeline.push(...(await planFaults(app, random)));
    faults.jobCrashes = random.pick([0, 0, 0.1, 0.3]);
    await eachOf(histories, (history) => act(app, history));
    // Retries part of the unfinished work at once, while faults last and every idempotency key is still valid.
    if (random.chance(0.6)) await retryUnderFaults(app);

    timeline.push(`round ${round} ends, ${seconds} s pass`);
    for (const { log } of histories) log.push(`-- round ${round} ends, ${seconds} s pass`);
    if (random.chance(0.3)) {
      faults.jobCrashes = 0;
      await clearFaults(app);
      await runEverything(app);
    }
    await advance(app, seconds);
  }
  faults.jobCrashes = 0;
  // All devices are back online at the end.
  await eachOf(histories, (history) => syncAll({ app, history, client: inProcessClient(app) }));
  return timeline;
}

/** Runs each scheduled job twice at once, as when a worker that only hung was presumed dead. */
async function retryUnderFaults({ db, settle }: TestApp): Promise<void> {
  await queueRecurringJobs(db);
  await queueRecurringJobs(db);
  await hurryJobs(db);
  await settle();
}

async function act(app: TestApp, history: History): Promise<void> {
  const client = inProcessClient(app);
  const times = history.random.between(0, 3);
  const isOver = app.now() >= history.endsAt ? 1 : 0;
  const likely = moves.map((move) => ({ move, weight: move.weights[isOver] }));
  for (let time = 0; time < times; time++) {
    const { move } = history.random.pickWeighted(likely);
    history.log.push(`${move.name}`);
    await move.make({ app, history, client });
  }
}

async function tallyOf({ db }: TestApp, histories: readonly History[]): Promise<Record<string, number>> {
  const tally: Record<string, number> = {};
  const count = (what: string, times = 1) => {
    tally[what] = (tally[what] ?? 0) + times;
  };
  for (const { log } of histories)
    for (const line of log) count(`${/: (done|refused|unknown|broken)\b/.exec(line)?.[1] ?? 'other'} attempts`);
  for (const table of ['orders', 'tickets', 'refunds', 'payouts', 'disputes', 'transferReversals'] as const) {
    const rows = await db
      .selectFrom(table)
      .groupBy('state')
      .select((column) => ['state', column.fn.countAll<number>().as('times')])
      .execute();
    for (const { state, times } of rows) count(`${table} ${state}`, Number(times));
  }
  // Counted here, because the purge removes them.
  for (const { synced } of histories) for (const { result } of synced.values()) count(`offline scans ${result}`);
  return tally;
}

async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  });
  await Promise.all(workers);
}
