/** Runs what was queued. Each job calls one use case and owns nothing; a job that throws is tried again. */
import { run, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import { sendResetLink } from '#server/accounts/send-reset-link.ts';
import { sweepAccounts } from '#server/accounts/sweep-accounts.ts';
import { applyNotice } from '#server/checkout/apply-notice.ts';
import { closeCheckouts } from '#server/checkout/close-checkouts.ts';
import { settleLapsedOrders } from '#server/checkout/settle-lapsed-orders.ts';
import type { Deps } from '#server/deps.ts';
import { announceEventChange } from '#server/events/announce-event-change.ts';
import { sendMail } from '#server/mail/send-mail.ts';
import { sendWaitingPayouts } from '#server/payouts/send-waiting-payouts.ts';
import { refundCancelledEvent } from '#server/refunds/refund-cancelled-event.ts';
import { sendRefund } from '#server/refunds/send-refund.ts';
import { jobLogger } from './job-logger.ts';
import type { JobName, Jobs } from './jobs.sql.ts';

type Tasks = { [Name in JobName]: (payload: Jobs[Name]) => Promise<void> };

export interface Worker {
  stop(): Promise<void>;
}

const AT_ONCE = 5;
/** Mail and notices are announced by the database; the clock only picks up what is tried again. */
const POLL_MS = 1000;

export async function startWorker(deps: Deps, pool: pg.Pool): Promise<Worker> {
  const tasks: Tasks = {
    'send-mail': (mail) => sendMail(deps, mail),
    'apply-notice': ({ noticeId }) => applyNotice(deps, noticeId),
    'send-reset-link': (request) => sendResetLink(deps, request),
    'announce-event-change': (change) => announceEventChange(deps, change),
    'send-refund': async (refund) => void (await sendRefund(deps, refund)),
    'refund-cancelled-event': (event) => refundCancelledEvent(deps, event),
    'close-checkouts': (event) => closeCheckouts(deps, event),
  };

  const runner = await run({
    pgPool: pool,
    concurrency: AT_ONCE,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: jobLogger(deps.log),
    taskList: {
      ...(tasks as TaskList),
      'settle-lapsed-orders': () => settleLapsedOrders(deps),
      'send-waiting-payouts': () => sendWaitingPayouts(deps),
      'sweep-accounts': () => sweepAccounts(deps),
    },
    crontab: [
      '* * * * * settle-lapsed-orders ?max=1',
      '*/2 * * * * send-waiting-payouts ?max=1',
      '20 4 * * * sweep-accounts ?max=1',
    ].join('\n'),
  });
  return { stop: () => runner.stop() };
}
