/** Runs what was queued. Each job calls one use case and owns nothing; a job that throws is tried again. */
import { run, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import { applyNotice } from '#server/checkout/apply-notice.ts';
import { sendRefund } from '#server/checkout/send-refund.ts';
import { settleLapsedOrders } from '#server/checkout/settle-lapsed-orders.ts';
import type { Deps } from '#server/deps.ts';
import { sendMail } from '#server/mail/send-mail.ts';
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
    'send-refund': (refund) => sendRefund(deps, refund),
  };

  const runner = await run({
    pgPool: pool,
    concurrency: AT_ONCE,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: jobLogger(deps.log),
    taskList: { ...(tasks as TaskList), 'settle-lapsed-orders': () => settleLapsedOrders(deps) },
    crontab: '* * * * * settle-lapsed-orders ?max=1',
  });
  return { stop: () => runner.stop() };
}
