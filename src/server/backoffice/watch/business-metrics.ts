/** Figures of the whole installation for `/metrics`, read at most every few seconds however often someone asks. */
import type { Db } from '#server/platform/database.ts';
import { businessCatalog } from '#server/platform/metrics/catalog.ts';
import { type Measurement, measure } from '#server/platform/metrics/measurement.ts';
import {
  type ActionItems,
  actionItemsByKind,
  type Figures,
  jobsByTask,
  openAlertsByKind,
  readFigures,
  type TaskJobs,
  type WaitingPayouts,
  waitingPayouts,
} from './watch.sql.ts';

const FIGURES_EVERY_MS = 15_000;
/** Reads more tables. */
const ITEMS_EVERY_MS = 60_000;
/** Prometheus gives up after ten seconds, and the figures of the processes are wanted most while the database is away. */
const ANSWER_WITHIN_MS = 2_000;

interface Times {
  figuresEveryMs?: number;
  itemsEveryMs?: number;
  answerWithinMs?: number;
}

export function businessMetrics(
  db: Db,
  { figuresEveryMs = FIGURES_EVERY_MS, itemsEveryMs = ITEMS_EVERY_MS, answerWithinMs = ANSWER_WITHIN_MS }: Times = {},
): () => Promise<Measurement[]> {
  const figures = atMostEvery(figuresEveryMs, () => measureFigures(db));
  const items = atMostEvery(itemsEveryMs, async () => ofActionItems(await actionItemsByKind(db)));

  return async () => {
    const [read, counted] = await Promise.all([within(answerWithinMs, figures()), within(answerWithinMs, items())]);
    const isUp = measure('handstamp_database_up', [{ labels: {}, value: read ? 1 : 0 }]);
    return withUnknown([isUp, ...(read ?? []), ...(counted ?? [])]);
  };
}

/** A metric without values is still there, because an alert on it would otherwise look mistyped. */
function withUnknown(given: Measurement[]): Measurement[] {
  const known = new Set(given.map(({ name }) => name));
  const unknown = Object.entries(businessCatalog).filter(([name]) => !known.has(name));
  return [
    ...given,
    ...unknown.map(([name, { help, type }]) => ({ name, help, type, aggregator: 'sum' as const, values: [] })),
  ];
}

async function measureFigures(db: Db): Promise<Measurement[]> {
  const figures = await readFigures(db);
  const jobs = await jobsByTask(db);
  const payouts = await waitingPayouts(db);
  const alerts = await openAlertsByKind(db);
  return [
    ...ofFigures(figures),
    ...ofJobs(jobs),
    ...ofPayouts(payouts),
    measure(
      'handstamp_alerts_open',
      alerts.map(({ kind, count }) => ({ labels: { kind }, value: count })),
    ),
  ];
}

const alone = (value: number) => [{ labels: {}, value }];

const ofFigures = (figures: Figures): Measurement[] => [
  measure('handstamp_tickets_sold', alone(figures.ticketsSold)),
  measure('handstamp_reservations_open', alone(figures.reservationsOpen)),
  measure('handstamp_webhooks_unprocessed', alone(figures.webhooksUnprocessed)),
  measure('handstamp_webhook_oldest_unprocessed_seconds', alone(figures.webhookSeconds)),
  measure('handstamp_emails_queued', alone(figures.emailsQueued)),
  measure('handstamp_email_oldest_queued_seconds', alone(figures.emailSeconds)),
  measure('handstamp_webhook_deliveries_due', alone(figures.deliveriesDue)),
  measure('handstamp_webhook_delivery_oldest_due_seconds', alone(figures.deliverySeconds)),
  measure('handstamp_discrepancies_open', alone(figures.discrepanciesOpen)),
  measure('handstamp_backup_age_seconds', alone(figures.backupSeconds)),
  measure('handstamp_backup_check_age_seconds', alone(figures.backupCheckSeconds)),
  measure('handstamp_backup_check_failed', alone(figures.backupCheckFailed)),
  measure('handstamp_backup_check_duration_seconds', alone(figures.backupCheckTook)),
  measure('handstamp_database_replicas', alone(figures.replicas)),
  measure('handstamp_database_replication_lag_seconds', alone(figures.replicationSeconds)),
];

const ofJobs = (jobs: readonly TaskJobs[]): Measurement[] => [
  measure(
    'handstamp_jobs',
    jobs.flatMap(({ task, due, running, givenUp }) => [
      { labels: { task, state: 'due' }, value: due },
      { labels: { task, state: 'running' }, value: running },
      { labels: { task, state: 'given-up' }, value: givenUp },
    ]),
  ),
  measure(
    'handstamp_job_oldest_due_seconds',
    jobs.map(({ task, oldestSeconds }) => ({ labels: { task }, value: oldestSeconds })),
  ),
];

const ofPayouts = (payouts: readonly WaitingPayouts[]): Measurement[] => [
  measure(
    'handstamp_payouts_waiting',
    payouts.map(({ state, count }) => ({ labels: { state }, value: count })),
  ),
  measure(
    'handstamp_payouts_waiting_cents',
    payouts.map(({ state, cents }) => ({ labels: { state }, value: cents })),
  ),
  measure(
    'handstamp_payout_oldest_due_seconds',
    alone(Math.max(0, ...payouts.map(({ oldestSeconds }) => oldestSeconds))),
  ),
];

const ofActionItems = (items: readonly ActionItems[]): Measurement[] => [
  measure(
    'handstamp_action_items',
    items.map(({ kind, count }) => ({ labels: { kind }, value: count })),
  ),
  measure(
    'handstamp_action_items_overdue',
    items.map(({ kind, overdue }) => ({ labels: { kind }, value: overdue })),
  ),
];

/** Repeats the last answer until it is this old. Of concurrent callers, one reads. */
function atMostEvery<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let held: { since: number; answer: Promise<T> } | null = null;
  return () => {
    if (held && performance.now() - held.since < ms) return held.answer;
    const started = { since: performance.now(), answer: read() };
    held = started;
    // The next caller tries again.
    started.answer.catch(() => {
      if (held === started) held = null;
    });
    return started.answer;
  };
}

/** Null if it fails, or takes longer. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, ms, null);
  try {
    return await Promise.race([answer.catch(() => null), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
