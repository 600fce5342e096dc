/**
 * Runs many histories at once in one app, one event each. They share the clock and the external faults. The seed
 * decides everything except the interleaving of concurrent steps.
 */
import { sql } from 'kysely';
import type { PayoutBrakes } from '#domain/payouts/brakes.ts';
import { REFUND_COSTS, type RefundCosts } from '#domain/payouts/refund-costs.ts';
import { advance, hurryJobs, queueRecurringJobs, runEverything } from '#tests/support/heal.ts';
import { clearFaults } from '#tests/support/money.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { brokenBrakes } from './check-brakes.ts';
import { checkEndState } from './check-end-state.ts';
import { syncAll } from './check-in-moves.ts';
import type { History } from './history.ts';
import { inProcessClient } from './in-process-client.ts';
import { type Move, moves } from './moves.ts';
import { addFloat, type JobFaults, newHistories, startFaultyApp } from './open-stage.ts';
import { liftAll, operatorMoves } from './operator-moves.ts';
import { planFaults } from './plan-faults.ts';
import { SeededRandom } from './seeded-random.ts';

export interface BatchOptions {
  seed: number;
  histories: number;
  /** Runs only these histories, with the same choices, clock and faults. */
  only?: readonly number[] | undefined;
  /** Drawn from the seed if omitted. */
  payoutBrakes?: Partial<PayoutBrakes>;
  /** Drawn, too. */
  refundCosts?: RefundCosts;
  /** An operator stops sales, holds payouts and suspends organizations. Drawn from the seed if omitted. */
  hasOperator?: boolean;
  /** Events of each organizer. */
  eventsEach?: number;
}

const FIRST_ROUNDS = 5;
const CONCURRENCY = 6;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const BRAKES: readonly Partial<PayoutBrakes>[] = [
  {},
  { firstDelayDays: 2 },
  { firstCapCents: 40_00 },
  { reservePercent: 25, reserveDays: 3 },
  { firstDelayDays: 1, firstCapCents: 5_00, reservePercent: 90, reserveDays: 15 },
];
/** Drawn for each round while most events are on sale: a sale changes within minutes. */
const FIRST_PAUSES = [0, MINUTE, 8 * MINUTE, 40 * MINUTE, 3 * HOUR];
/** Shuffled and used afterwards. Their sum reaches past the last event's payout. */
const LATER_PAUSES = [40 * MINUTE, 13 * HOUR, 25 * HOUR, 26 * HOUR, 25 * HOUR];

/** Added where an operator brakes, because held payouts move late. */
const LAST_PAUSES = [13 * HOUR, 13 * HOUR, 25 * HOUR, 25 * HOUR];

export interface Batch {
  /** Every error at the end, with the history behind it. */
  errors: string[];
  /** Number of occurrences of each kind, such as `refunds sent`. */
  tally: Record<string, number>;
}

export async function runBatch({ seed, histories, only, ...options }: BatchOptions): Promise<Batch> {
  const random = new SeededRandom(seed);
  const { eventsEach = 10, payoutBrakes = random.fork(-4).pick(BRAKES) } = options;
  const { refundCosts = random.fork(-5).pick(REFUND_COSTS), hasOperator = random.fork(-6).chance(0.5) } = options;
  const { app, faults } = await startFaultyApp(random.fork(-1), { payoutBrakes, refundCosts });
  try {
    await addFloat(app);
    const indexes = Array.from({ length: histories }, (_, index) => index);
    const started = await newHistories(
      app,
      random.fork(-2),
      indexes.filter((index) => only?.includes(index) ?? true).map((index) => ({ index, name: `${seed}.${index}` })),
      eventsEach,
    );
    const timeline = await runRounds(app, random.fork(-3), { faults, histories: started, hasOperator });
    // Counted now, too: unpaid orders are purged before the last reserve is due.
    let tally = await tallyOf(app, started);
    const errors = await checkEndState(app, started, timeline, async () => {
      tally = { ...tally, ...(await tallyOf(app, started)) };
      return [...(await unpaidEvents(app)), ...(await brokenBrakes(app, started, payoutBrakes))];
    });
    return { errors, tally };
  } finally {
    await app.close();
  }
}

async function runRounds(
  app: TestApp,
  random: SeededRandom,
  { faults, histories, hasOperator }: { faults: JobFaults; histories: History[]; hasOperator: boolean },
): Promise<string[]> {
  const timeline: string[] = [];
  const possible = hasOperator ? [...moves, ...operatorMoves] : moves;
  const pauses = Array.from({ length: FIRST_ROUNDS }, () => random.pick(FIRST_PAUSES));
  pauses.push(...random.shuffled(LATER_PAUSES), ...(hasOperator ? LAST_PAUSES : []));
  for (const [round, seconds] of pauses.entries()) {
    timeline.push(...(await planFaults(app, random)));
    faults.jobCrashes = random.pick([0, 0, 0.1, 0.3]);
    await eachOf(histories, (history) => act(app, history, possible));
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
  // All devices are back online at the end, and the operator trusts everyone.
  await eachOf(histories, async (history) => {
    await syncAll({ app, history, client: inProcessClient(app) });
    await liftAll({ app, history });
  });
  return timeline;
}

/** Runs each scheduled job twice at once, as when a worker that only hung was presumed dead. */
async function retryUnderFaults({ db, settle }: TestApp): Promise<void> {
  await queueRecurringJobs(db);
  await queueRecurringJobs(db);
  await hurryJobs(db);
  await settle();
}

async function act(app: TestApp, history: History, possible: readonly Move[]): Promise<void> {
  const client = inProcessClient(app);
  const times = history.random.between(0, 3);
  const isOver = app.now() >= history.endsAt ? 1 : 0;
  const likely = possible.map((move) => ({ move, weight: move.weights[isOver] }));
  for (let time = 0; time < times; time++) {
    const { move } = history.random.pickWeighted(likely);
    history.log.push(`${move.name}`);
    await move.make({ app, history, client });
  }
}

/** A payout that was only held back is paid by now, to the cent. What an open dispute holds back is not due. */
async function unpaidEvents({ db }: TestApp): Promise<string[]> {
  const { rows } = await sql<{ eventId: string; cents: number }>`
    select l.event_id, sum(l.cents)::bigint as cents
      from ledger_entries l
     where l.account = 'organizer-payable'
       and exists (select from payouts p where p.event_id = l.event_id)
       and not exists (select from disputes d where d.event_id = l.event_id and d.state in ('open', 'inquiry'))
     group by l.event_id
    having sum(l.cents) <> 0`.execute(db);
  return rows.map(({ eventId, cents }) => `event ${eventId} was paid out, and ${-cents} are still owed for it`);
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
  const costs = await db
    .selectFrom('ledgerEntries')
    .where('kind', '=', 'refund-costs')
    .where('account', '<>', 'card-fees')
    .groupBy('account')
    .select((column) => ['account', column.fn.countAll<number>().as('times')])
    .execute();
  for (const { account, times: charged } of costs) count(`refund costs from ${account}`, Number(charged));
  const { discounted } = await db
    .selectFrom('orderLines')
    .where('promoCodeId', 'is not', null)
    .select((column) => column.fn.countAll<number>().as('discounted'))
    .executeTakeFirstOrThrow();
  count('orders with a promo code', Number(discounted));
  for (const { paidBy, takenCents } of await db
    .selectFrom('payoutReserves')
    .select(['paidBy', 'takenCents'])
    .execute()) {
    if (paidBy) count('held parts paid');
    if (takenCents > 0) count('taken from what was held back');
  }
  for (const { brakes } of histories) for (const { kind } of brakes) count(kind);
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
