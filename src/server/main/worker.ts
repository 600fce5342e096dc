/** Runs the queued and scheduled jobs. Each job calls one use case; a job that throws is retried. */
import { run, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import { sendResetLink } from '#server/accounts/password-reset.ts';
import { stopRestrictedSales } from '#server/accounts/payout-account.ts';
import { reseal } from '#server/accounts/reseal/reseal.ts';
import { sweepAccounts } from '#server/accounts/sweep-accounts.ts';
import { sendAlerts, sendCheckAlerts } from '#server/backoffice/alerts/send-alerts.ts';
import { remindOfEvidence } from '#server/backoffice/disputes/remind-of-evidence.ts';
import { readFunds } from '#server/backoffice/funds/read-funds.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { sendRecordsLink } from '#server/backoffice/privacy/records-link.ts';
import { replayErasures } from '#server/backoffice/privacy/replay-erasures.ts';
import { endEndpointsMadeSince } from '#server/backoffice/webhooks/manage-endpoints.ts';
import { sendMyTickets } from '#server/emails/find-tickets.ts';
import { sendEmail } from '#server/emails/send-email.ts';
import { announceEventChange } from '#server/events/announce-event-change.ts';
import { brakeEventsOf } from '#server/events/brakes/change-brakes.ts';
import { sweepDrafts } from '#server/events/life/sweep-drafts.ts';
import { sweepPhotos } from '#server/events/photos/sweep-photos.ts';
import { moveWaivers } from '#server/events/series/move-waivers.ts';
import { changeSeries } from '#server/events/series-changes/change-series.ts';
import { rollUpTotals } from '#server/events/totals/roll-up-totals.ts';
import { issueImport } from '#server/orders/comps/issue-import.ts';
import { recordEarlyCheckIns } from '#server/orders/core/early-check-ins.sql.ts';
import { updatePasses } from '#server/orders/wallets/update-passes.ts';
import { closeCheckouts } from '#server/payments/checkout/close-checkouts.ts';
import { settleLapsedOrders } from '#server/payments/checkout/settle-lapsed-orders.ts';
import { requestDuePayouts } from '#server/payments/payouts/request-due-payouts.ts';
import { sendPayout, sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { sendReversal, sendWaitingReversals } from '#server/payments/payouts/send-reversal.ts';
import { reconcile } from '#server/payments/reconciliation/reconcile.ts';
import { refundCancelledEvent } from '#server/payments/refunds/refund-cancelled-event.ts';
import { sendRefund } from '#server/payments/refunds/send-refund.ts';
import { sendWaitingRefunds } from '#server/payments/refunds/send-waiting-refunds.ts';
import { processWebhookEvent } from '#server/payments/webhooks/process-webhook-event.ts';
import { sweepWebhookEvents } from '#server/payments/webhooks/sweep-webhook-events.ts';
import type { Deps } from '#server/platform/deps.ts';
import { sweepAnswers } from '#server/platform/idempotency/idempotency.ts';
import { jobLogger } from '#server/platform/jobs/job-logger.ts';
import type { JobName, Jobs } from '#server/platform/jobs/jobs.sql.ts';
import { keepRunning } from '#server/platform/jobs/keep-running.ts';
import { QUEUE_TIMES, type QueueTimes } from '#server/platform/jobs/queue-times.ts';
import { workerHeartbeat } from '#server/platform/jobs/worker-heartbeat.ts';
import { expectJobs } from '#server/platform/metrics/tallies.ts';
import { inSpan } from '#server/platform/tracing/spans.ts';
import { startCheckoutRounds } from './rounds/checkout-rounds.ts';
import { startWebhookRounds } from './rounds/webhook-rounds.ts';

type Tasks = { [Name in JobName]: (payload: Jobs[Name]) => Promise<void> };

export interface Worker {
  stop(): Promise<void>;
}

const CONCURRENCY = 8;
const HOUR_MS = 60 * 60 * 1000;

export async function startWorker(
  deps: Deps,
  pool: pg.Pool,
  times: QueueTimes = QUEUE_TIMES,
  schedule: readonly ScheduledJob[] = SCHEDULE,
): Promise<Worker> {
  const hoursAgo = (hours: number) => new Date(deps.clock.now().getTime() - hours * HOUR_MS);
  const tasks: Tasks = {
    'send-email': (email) => sendEmail(deps, email),
    'process-webhook-event': ({ webhookEventId }) => processWebhookEvent(deps, webhookEventId),
    'send-reset-link': (request) => sendResetLink(deps, request),
    'send-records-link': (request) => sendRecordsLink(deps, request),
    'send-my-tickets': (request) => sendMyTickets(deps, request),
    'announce-event-change': (change) => announceEventChange(deps, change),
    'brake-events': ({ organizationId }) => brakeEventsOf(deps.db, organizationId),
    'change-series': (change) => changeSeries(deps, change),
    'record-early-check-ins': ({ eventId }) => recordEarlyCheckIns(deps.db, eventId),
    'move-waivers': ({ seriesId }) => moveWaivers(deps.db, seriesId),
    'end-webhooks': (made) => endEndpointsMadeSince(deps, made),
    'issue-comps': (batch) => issueImport(deps, batch),
    'send-refund': async (refund) => void (await sendRefund(deps, refund)),
    'refund-cancelled-event': (event) => refundCancelledEvent(deps, event),
    'close-checkouts': (event) => closeCheckouts(deps, event),
    'reconcile-days': () => reconcile(deps, hoursAgo(96)),
    'roll-up-ticket-totals': () => rollUpTotals(deps),
    'send-payout': (payout) => sendPayout(deps, payout),
    'send-reversal': (recovery) => sendReversal(deps, recovery),
  };

  const taskList = traced({
    ...(tasks as TaskList),
    'settle-lapsed-orders': () => settleLapsedOrders(deps),
    'stop-restricted-sales': () => stopRestrictedSales(deps),
    'send-waiting-refunds': () => sendWaitingRefunds(deps),
    'request-due-payouts': () => requestDuePayouts(deps),
    'send-waiting-payouts': () => sendWaitingPayouts(deps),
    'send-waiting-reversals': () => sendWaitingReversals(deps),
    'sweep-webhook-events': () => sweepWebhookEvents(deps),
    'reconcile-recent': () => reconcile(deps, hoursAgo(2)),
    'sweep-accounts': () => sweepAccounts(deps),
    'sweep-drafts': () => sweepDrafts(deps),
    'sweep-photos': () => sweepPhotos(deps),
    'sweep-api-answers': () => sweepAnswers(deps),
    'send-alerts': () => sendAlerts(deps),
    'send-check-alerts': () => sendCheckAlerts(deps),
    'read-funds': () => readFunds(deps),
    'remind-of-evidence': () => remindOfEvidence(deps),
    'update-passes': () => updatePasses(deps),
    purge: () => purge(deps),
    'replay-erasures': () => replayErasures(deps),
    reseal: () => reseal(deps),
  });
  expectJobs(Object.keys(taskList));

  const heartbeat = workerHeartbeat(deps, { ...times, concurrency: CONCURRENCY }, (reason) => {
    deps.log.warn(`${reason}, restarting the job runner`);
    runner.restart();
  });
  const start = () =>
    run({
      pgPool: pool,
      // A batched completion that fails would crash the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      events: heartbeat.eventsOfNextPool(),
      concurrency: CONCURRENCY,
      pollInterval: times.pollMs,
      noHandleSignals: true,
      logger: jobLogger(deps.log),
      taskList,
      crontab: crontabOf(schedule),
    });
  const runner = await keepRunning(start, deps, times);
  heartbeat.start();
  const rounds = [startCheckoutRounds(deps, times), startWebhookRounds(deps, times)];
  return {
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
      await runner.stop();
      await heartbeat.stop();
    },
  };
}

/** Each job as a span of its own. */
const traced = (tasks: TaskList): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload, helpers) => inSpan(`job ${name}`, async () => task?.(payload, helpers)),
    ]),
  );

interface ScheduledJob {
  at: string;
  job: string;
  queue: string;
}

/** Jobs that call Stripe share few queues, so that a slow Stripe never blocks emails and webhook events. */
export const SCHEDULE: readonly ScheduledJob[] = [
  { at: '* * * * *', job: 'settle-lapsed-orders', queue: 'settling' },
  { at: '* * * * *', job: 'send-waiting-refunds', queue: 'sending' },
  { at: '* * * * *', job: 'stop-restricted-sales', queue: 'sending' },
  { at: '*/10 * * * *', job: 'request-due-payouts', queue: 'sending' },
  { at: '*/2 * * * *', job: 'send-waiting-payouts', queue: 'sending' },
  { at: '*/2 * * * *', job: 'send-waiting-reversals', queue: 'sending' },
  { at: '* * * * *', job: 'sweep-webhook-events', queue: 'sweeping' },
  { at: '* * * * *', job: 'roll-up-ticket-totals', queue: 'sweeping' },
  { at: '* * * * *', job: 'send-alerts', queue: 'alerts' },
  { at: '*/10 * * * *', job: 'send-check-alerts', queue: 'alerts' },
  { at: '* * * * *', job: 'update-passes', queue: 'wallets' },
  { at: '*/5 * * * *', job: 'reconcile-recent', queue: 'reconcile' },
  { at: '*/5 * * * *', job: 'read-funds', queue: 'reconcile' },
  { at: '7 * * * *', job: 'remind-of-evidence', queue: 'sweeping' },
  { at: '17 * * * *', job: 'reconcile-days', queue: 'reconcile' },
  { at: '20 4 * * *', job: 'sweep-accounts', queue: 'sweeping' },
  { at: '25 4 * * *', job: 'sweep-drafts', queue: 'sweeping' },
  { at: '30 4 * * *', job: 'sweep-photos', queue: 'sweeping' },
  { at: '35 * * * *', job: 'sweep-api-answers', queue: 'purging' },
  { at: '40 4 * * *', job: 'purge', queue: 'purging' },
  { at: '50 * * * *', job: 'replay-erasures', queue: 'purging' },
  { at: '*/10 * * * *', job: 'reseal', queue: 'sweeping' },
];

/** The job key keeps at most one waiting job of each kind, however long the running one takes. */
function crontabOf(schedule: readonly ScheduledJob[]): string {
  return schedule.map(({ at, job, queue }) => `${at} ${job} ?max=1&queue=${queue}&jobKey=${job}`).join('\n');
}
