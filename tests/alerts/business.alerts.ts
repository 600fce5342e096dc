/** Faults of what the server depends on, and work that is late. Hours pass by the sandbox's clock. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { requestPayout } from '#contract/app/payouts.ts';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import { type MailServer, openMailServer } from '#tests/faults/two-servers/mail-server.ts';
import { hurryJobs } from '#tests/support/heal.ts';
import { METRICS_TOKEN, until } from '#tests/support/metrics.ts';
import { planFault, simulateAtBank, stripeObjectsOf } from '#tests/support/money.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import {
  buyTickets,
  eventOnSale,
  generalAdmission,
  logInAgain,
  openCheckout,
  pay,
  type Site,
} from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { sendCrowd } from './crowd.ts';
import { openPrometheus, type Prometheus } from './prometheus/open-prometheus.ts';
import { checkedAfterCure, runJob as runJobOn } from './run-job.ts';
import { type Fault, seeFireAndClear } from './see-alert.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Jobs that a server runs at once. */
const JOB_SLOTS = 8;

let database: TestDatabase;
let db: Db;
let mailServer: MailServer;
let product: Product;
let prometheus: Prometheus;
let site: Site;
/** Sells for a year. */
let sale: Awaited<ReturnType<typeof eventOnSale>>;
/** Is tomorrow, and can be paid out after the faults that take days. */
let past: Awaited<ReturnType<typeof eventOnSale>>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(openPool(database.connectionString, () => {}));
  mailServer = await openMailServer();
  product = await startProduct({
    DATABASE_URL: database.connectionString,
    SMTP_URL: mailServer.url,
    SMTP_PLAIN_TEXT: '1',
    METRICS_TOKEN,
    RATE_LIMIT_SCALE: '0',
    LOG_LEVEL: 'silent',
  });
  site = { ...siteOf(product), publicUrl: mailServer.inboxUrl };
  const inAYear = new Date(Date.now() + 365 * DAY * 1000);
  sale = await eventOnSale({ ...site, now: () => inAYear });
  past = await eventOnSale(site);
  for (const { eventId } of [sale, past]) await buyTickets(site, eventId, generalAdmission(2), 'early@example.com');
  await site.settle();
  prometheus = await openPrometheus([product]);
});
afterAll(async () => {
  await prometheus?.close();
  await product?.remove();
  await db?.destroy();
  await database?.drop();
  await mailServer?.close();
});

const later = (seconds: number) => moveClock(product.sandboxUrl, seconds);
const buy = () => buyTickets(site, sale.eventId, generalAdmission(1), 'watched@example.com');

const paymentsOf = async (eventId: string) =>
  (await stripeObjectsOf({ db }, 'payment_intent', eventId)).map(({ id }) => id);

const addReserved = (tickets: number) =>
  db
    .updateTable('ticketTypes')
    .where('eventId', '=', sale.eventId)
    .set(({ eb }) => ({ reserved: eb('reserved', '+', tickets) }))
    .execute();

/** Runs a scheduled job now. */
const runJob = (task: string) => runJobOn(database.connectionString, task);

const untilFailed = (task: string) =>
  until(`${task} has failed`, async () => {
    const { rows } = await sql`
      select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = ${task} and j.last_error is not null and j.locked_at is null`.execute(db);
    return rows.length > 0;
  });

/** The mail server refuses everything, for now. */
function refuseEmails(): () => Promise<void> {
  mailServer.reply = { code: 451 };
  return async () => {
    mailServer.reply = { code: null };
    await hurryJobs(db);
    await site.settle();
  };
}

const faults: Fault[] = [
  {
    alerts: ['HandstampJobsFailing'],
    fault: 'the mail server refuses an email again and again',
    async fail() {
      const cure = refuseEmails();
      await buy();
      const hurry = sendCrowd(1, () => hurryJobs(db), 300);
      return async () => {
        await hurry.stop();
        await cure();
      };
    },
  },
  {
    alerts: ['HandstampJobsGivenUp'],
    fault: 'an email has failed for the last time',
    async fail() {
      const cure = refuseEmails();
      await buy();
      await untilFailed('send-email');
      await sql`update graphile_worker._private_jobs set attempts = max_attempts where last_error is not null`.execute(
        db,
      );
      return async () => {
        await sql`update graphile_worker._private_jobs set attempts = 1 where last_error is not null`.execute(db);
        await cure();
      };
    },
  },
  {
    alerts: ['HandstampEmailsLate'],
    fault: 'the mail server refuses an email for 16 minutes',
    async fail() {
      const cure = refuseEmails();
      await buy();
      await untilFailed('send-email');
      await later(16 * MINUTE);
      return cure;
    },
  },
  {
    alerts: ['HandstampJobsLate'],
    fault: 'the mail server is so slow that it takes up all that run jobs',
    async fail() {
      const held = Promise.withResolvers<void>();
      mailServer.onAccepted = () => held.promise;
      for (let order = 0; order < 2 * JOB_SLOTS; order++) await buy();
      // The queue runs on the machine's time.
      await sql`update graphile_worker._private_jobs set run_at = run_at - interval '6 minutes' where locked_at is null`.execute(
        db,
      );
      return async () => {
        mailServer.onAccepted = async () => {};
        held.resolve();
        await hurryJobs(db);
        await site.settle();
      };
    },
  },
  {
    alerts: ['HandstampWebhooksLate'],
    fault: 'Stripe reports a payment and fails to say which, for six minutes',
    async fail() {
      const checkout = await openCheckout(site, sale.eventId, generalAdmission(1));
      const session = { method: 'GET', path: '/v1/checkout/sessions/*' };
      await planFault(product, { match: session, mode: 'error_before', times: 100_000 });
      await pay(checkout.buyer, checkout.url, 'watched@example.com');
      await untilFailed('process-webhook-event');
      await later(6 * MINUTE);
      return async () => {
        await fetch(`${product.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
        await hurryJobs(db);
        await site.settle();
      };
    },
  },
  {
    alerts: ['HandstampCheckoutsFailing'],
    fault: 'Stripe opens no payment page',
    async fail() {
      const pages = { method: 'POST', path: '/v1/checkout/sessions' };
      await planFault(product, { match: pages, mode: 'error_before', times: 100_000 });
      const buyers = sendCrowd(2, () => openCheckout(site, sale.eventId, generalAdmission(1)), 300);
      return async () => {
        await fetch(`${product.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
        await buyers.stop();
        await site.settle();
      };
    },
  },
  {
    alerts: ['HandstampChecksFailing'],
    fault: 'a person changed the stock by hand',
    async fail() {
      await addReserved(1);
      await runJob('send-check-alerts');
      return () => addReserved(-1);
    },
  },
  {
    alerts: ['HandstampDiscrepancies'],
    fault: 'money moved at Stripe that the ledger knows nothing of',
    async fail() {
      const [paymentId = ''] = await paymentsOf(sale.eventId);
      const moved = {
        id: 'txn_odd',
        type: 'adjustment',
        paymentId,
        transferId: null,
        netCents: -100,
        createdAt: site.now(),
      };
      await db.insertInto('balanceTransactions').values(moved).execute();
      await reconcileLater();
      return async () => {
        await db.deleteFrom('balanceTransactions').where('id', '=', moved.id).execute();
        await reconcileLater();
      };
    },
  },
  {
    alerts: ['HandstampBackupOld', 'HandstampBackupUnchecked'],
    fault: 'no backup was made and checked for nine days',
    async fail() {
      await later(9 * DAY);
      return backUp;
    },
  },
  {
    alerts: ['HandstampBackupBroken'],
    fault: 'the newest backup is broken',
    async fail() {
      await sql`select record_backup_check('restore', 7)`.execute(db);
      return backUp;
    },
  },
  {
    alerts: ['HandstampPayoutsLate', 'HandstampActionItemsOverdue'],
    fault: 'Stripe sends no transfer for two hours',
    async fail() {
      await planFault(product, {
        match: { method: 'POST', path: '/v1/transfers' },
        mode: 'error_before',
        times: 100_000,
      });
      await logInAgain(past);
      await past.visitor.call(requestPayout, { eventId: past.eventId });
      await later(2 * HOUR);
      return async () => {
        await fetch(`${product.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
        await runJob('send-waiting-payouts');
      };
    },
  },
  {
    alerts: ['HandstampDisputesDue'],
    fault: 'the bank wants evidence within two days',
    async fail() {
      const [payment_intent] = await paymentsOf(sale.eventId);
      const { id } = await simulateAtBank(product, 'disputes', { payment_intent });
      await site.settle();
      const { dueAt } = await db.selectFrom('disputes').select('dueAt').executeTakeFirstOrThrow();
      if (!dueAt) throw new Error('the dispute is never due');
      await later(Math.floor((dueAt.getTime() - site.now().getTime()) / 1000) - 2 * DAY);
      await backUp();
      await runJob('send-alerts');
      return async () => {
        await simulateAtBank(product, `disputes/${id}`, { become: 'won' });
        await site.settle();
        await runJob('send-alerts');
      };
    },
  },
];

/** As the operator's scripts report it. */
async function backUp(): Promise<void> {
  const env = { ...process.env, DATABASE_URL: database.connectionString };
  await promisify(execFile)(process.execPath, ['scripts/appoint-admin.mjs', 'backup-done'], { cwd: ROOT, env });
  await sql`select record_backup_check(null, 90)`.execute(db);
}

async function reconcileLater(): Promise<void> {
  await later(20 * MINUTE);
  await runJob('reconcile-recent');
}

describe('A fault around the server', () => {
  it.each(faults)('makes its alerts fire until it is mended: $fault', (fault) =>
    seeFireAndClear(
      prometheus,
      checkedAfterCure(fault, () => database.connectionString),
    ),
  );
});
