/** Alerts as the worker sends them: by its own schedule, whose minutes the test moves. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { alertMessage } from '#messages/records/alerts.ts';
import { newId } from '#server/platform/ids.ts';
import { plantDispute, plantOrder, plantRefund } from '#tests/support/action-items.ts';
import { until } from '#tests/support/metrics.ts';
import { emailsTo, eventOnSale } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const ALERT_EMAIL = 'operators@example.com';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CHECK_INTERVAL = 10 * MINUTE;

let app: TestApp;
let failedChecks: string[] = [];
beforeAll(async () => {
  app = await startTestApp({
    isScheduled: true,
    alerts: { alertEmail: ALERT_EMAIL, findFailedChecks: async () => failedChecks },
  });
});
afterAll(async () => {
  vi.useRealTimers();
  await app?.close();
});

/**
 * The schedule reads the clock of the machine. It starts with a minute that checks the installation, and long enough ago for all minutes of
 * the test: the queue leaves jobs of the future alone.
 */
async function startSchedule() {
  await app.endJobs();
  let next = Math.floor((Date.now() - 12 * MINUTE) / CHECK_INTERVAL) * CHECK_INTERVAL;
  vi.useFakeTimers({ toFake: ['Date'], now: next - 1 });
  await sql`delete from graphile_worker._private_known_crontabs`.execute(app.db);
  await app.restartJobs();
  // Business time is the database's, once its clock is compared with this one.
  await app.advance({ seconds: 1 });

  /** Passes a minute, with all jobs that the worker schedules in it. */
  return async () => {
    // To its last moment: the schedule sleeps in real time until the next one.
    vi.setSystemTime(next + MINUTE - 1);
    await until('the minute is scheduled', async () => (await lastScheduled())?.getTime() === next);
    next += MINUTE;
    await until('its jobs have ended', async () => (await jobsLeft()) === 0);
    await app.settle();
  };
}

async function lastScheduled(): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select last_execution as at from graphile_worker._private_known_crontabs where identifier = 'send-alerts'`.execute(
    app.db,
  );
  return rows[0]?.at ?? null;
}

async function jobsLeft(): Promise<number | undefined> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from graphile_worker._private_jobs where locked_at is not null or run_at <= now()`.execute(
    app.db,
  );
  return rows[0]?.jobs;
}

/** One problem of each kind. */
async function plantProblems(): Promise<() => Promise<unknown>> {
  const { email } = await eventOnSale(app);
  const at = new Date(app.now().getTime() - 16 * MINUTE);
  const order = await plantOrder(app.db, email, at);
  const refundId = await plantRefund(app.db, order, { state: 'refused', failureReason: 'No.' });
  const disputeId = await plantDispute(app.db, order);
  const dueAt = new Date(app.now().getTime() + 2 * DAY);
  await app.db.updateTable('disputes').set({ dueAt }).where('id', '=', disputeId).execute();
  const { eventId } = order;
  const discrepancy = { id: newId(), kind: 'payout', subject: eventId, eventId, cents: 100, foundAt: at } as const;
  await app.db
    .insertInto('discrepancies')
    .values({ ...discrepancy, resolvedAt: null })
    .execute();
  failedChecks = ['Mail server'];

  return async () => {
    await app.db.deleteFrom('refunds').where('id', '=', refundId).execute();
    await app.db.deleteFrom('disputes').where('id', '=', disputeId).execute();
    await app.db.updateTable('discrepancies').set({ resolvedAt: app.now() }).execute();
    failedChecks = [];
  };
}

const PROBLEMS = [
  alertMessage('action-item', 'refund-refused'),
  alertMessage('discrepancy', ''),
  alertMessage('dispute-due', ''),
  alertMessage('check-failed', 'Mail server'),
];

/** How many emails there are, and how many of them name each problem. */
async function alerted() {
  const emails = await emailsTo(app, ALERT_EMAIL);
  const each = PROBLEMS.map((problem) => emails.filter(({ text }) => text.includes(problem)).length);
  return { emails: emails.length, each };
}

it('alerts once within a minute, daily while the problem lasts, and stops [ALERT-1]', async () => {
  const resolve = await plantProblems();
  const minute = await startSchedule();
  expect(await alerted()).toEqual({ emails: 0, each: [0, 0, 0, 0] });

  await minute();
  expect(await alerted()).toEqual({ emails: 2, each: [1, 1, 1, 1] });
  await minute();
  await app.advance({ hours: 23, minutes: 58 });
  await minute();
  expect(await alerted()).toEqual({ emails: 2, each: [1, 1, 1, 1] });
  await app.advance({ minutes: 2 });
  await minute();
  expect(await alerted()).toEqual({ emails: 3, each: [2, 2, 2, 2] });

  await resolve();
  // Until the installation is checked again.
  for (let passed = 4; passed <= CHECK_INTERVAL / MINUTE; passed++) await minute();
  await app.advance({ days: 1 });
  await minute();
  expect(await alerted()).toEqual({ emails: 3, each: [2, 2, 2, 2] });
  const open = app.db.selectFrom('alerts').where('resolvedAt', 'is', null).select(['kind', 'subject']);
  expect(await open.execute()).toEqual([]);
});
