import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, openPool, openReadOnlyPool, type Pool } from '#server/platform/database.ts';
import { plantOrder, plantWebhookEvent } from '#tests/support/action-items.ts';
import { smallPhoto } from '#tests/support/call-samples.ts';
import { freePort } from '#tests/support/free-port.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { openMailServer } from './two-servers/mail-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CLOCK = {
  NODE_OPTIONS: `--import=${path.join(root, 'tests/faults/two-servers/shifted-date.mjs')}`,
  SHIFT_SECONDS: '60',
};

let product: Product;
let pool: Pool;
let email: string;
beforeAll(async () => {
  product = await startProduct();
  const site = siteOf(product);
  const event = await eventOnSale(site);
  email = event.email;
  await buyTickets(site, event.eventId, generalAdmission(2));
  await site.settle();
  expectOk(await uploadPhotos(event.visitor, event.eventId, [['a.png', await smallPhoto()]]));
  pool = openPool(await product.databaseAddress(), () => {});
});
afterAll(async () => {
  await pool?.end();
  await product?.remove();
});

/** Runs `npm run doctor`. */
function doctor(
  environment: Record<string, string> = {},
  ...options: string[]
): Promise<{ exitCode: number; output: string }> {
  const env = { ...process.env, DATA_DIR: product.dataDir, ...environment };
  return new Promise((resolve) =>
    execFile(process.execPath, ['scripts/doctor.mjs', ...options], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}${stderr}`.trim() }),
    ),
  );
}

const problemsIn = (output: string) => output.split('\n').filter((line) => line.startsWith('FAIL    '));

describe('npm run doctor', () => {
  it('checks the disk of the data directory before it exists', async () => {
    const folder = path.join(product.dataDir, 'not/there/yet');
    const { output } = await doctor({ DATABASE_URL: await product.databaseAddress(), DATA_DIR: folder });

    expect(output).toContain(`The disk of ${folder} has `);
  });

  it('reports success while the server runs', async () => {
    const { exitCode, output } = await doctor();

    expect(output).not.toContain('FAIL    ');
    expect(output).toMatch(/All \d+ invariants hold\./);
    expect(output).toContain('All 1 photos have a file');
    expect(exitCode).toBe(0);
  });

  it('says what is missing before real money, and nothing once it is there [OPS-8]', async () => {
    const missing = await doctor({}, '--install');
    const names = problemsIn(missing.output).map((line) => /\b[A-Z]+(?:_[A-Z]+)+\b|admin|backup/.exec(line)?.[0]);
    expect(names).toEqual([
      'PUBLIC_URL',
      'TRUST_PROXY',
      'DATABASE_URL',
      'APP_SECRET',
      'STRIPE_SECRET_KEY',
      'SMTP_URL',
      'MAIL_FROM',
      'ALERT_EMAIL',
      'METRICS_TOKEN',
      'REFUND_DELAY_MINUTES',
      'admin',
      'backup',
    ]);
    expect(missing.exitCode).toBe(1);

    const readiness = {
      PUBLIC_URL: 'https://tickets.handstamp.dev',
      TRUST_PROXY: '1',
      DATABASE_URL: await product.databaseAddress(),
      APP_SECRET: 'a'.repeat(32),
      STRIPE_SECRET_KEY: 'sk_live_51abc',
      STRIPE_WEBHOOK_SECRET: 'whsec_abc',
      SMTP_URL: 'smtps://smtp.handstamp.dev',
      MAIL_FROM: 'Tickets <tickets@handstamp.dev>',
      ALERT_EMAIL: 'ops@handstamp.dev',
      METRICS_TOKEN: 'a'.repeat(16),
      REFUND_DELAY_MINUTES: '30',
    };
    await pool.query('update users set is_admin = true where email = $1', [email]);
    await pool.query('select record_backup()');
    const { exitCode, output } = await doctor(readiness, '--install');
    expect(problemsIn(output)).toEqual([]);
    expect(exitCode).toBe(0);
    await pool.query('update users set is_admin = false where email = $1', [email]);

    expect((await doctor({}, '--instal')).output).toContain('Unknown option: --instal');
  });

  it("reports how far the machine's clock is off", async () => {
    const { exitCode, output } = await doctor(CLOCK);

    expect(output).toMatch(/FAIL {6}This machine's clock is (?:59|60|61) s ahead of the database's\./);
    expect(exitCode).toBe(1);
  });

  it('reports what it cannot check, and checks everything else', async () => {
    const holder = await pool.connect();
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0; lock table ticket_totals');
    const { exitCode, output } = await doctor();
    await holder.query('rollback');
    holder.release();

    expect(problemsIn(output)).toEqual([
      'FAIL      ticket-totals-equal-a-count: check failed: canceling statement due to lock timeout',
    ]);
    expect(output).toContain('All 1 photos have a file');
    expect(exitCode).toBe(1);
  });

  it('does so on another host without the data directory', async () => {
    const elsewhere = path.join(makeDataDirectory(), 'nowhere');
    const address = await product.databaseAddress();
    const { exitCode, output } = await doctor({ DATA_DIR: elsewhere, DATABASE_URL: address });

    expect(problemsIn(output)).toEqual([expect.stringContaining('Photos without a file in ')]);
    expect(output).toMatch(/All \d+ invariants hold\./);
    expect(exitCode).toBe(1);
  });

  it('reports a mail server without TLS, and a database on another host without sslmode [EMAIL-8]', async () => {
    const mailServer = await openMailServer();
    const elsewhere = 'postgres://handstamp@database.invalid/handstamp';
    const SMTP_URL = mailServer.url;
    const refused = await doctor({ SMTP_URL, DATABASE_URL: elsewhere });
    const allowed = await doctor({ SMTP_URL, SMTP_PLAIN_TEXT: '1', DATABASE_URL: `${elsewhere}?sslmode=verify-full` });
    await mailServer.close();

    expect(problemsIn(refused.output).slice(0, 2)).toEqual([
      expect.stringMatching(/The mail server offers no TLS.*SMTP_PLAIN_TEXT=1/),
      expect.stringContaining('add sslmode=verify-full to DATABASE_URL'),
    ]);
    expect(problemsIn(allowed.output)).toEqual([expect.stringContaining('The remaining checks could not run')]);
  });

  it('reports passkeys that were made for another host [OPS-1 AUTH-6]', async () => {
    await sql`
      insert into user_factors (id, user_id, kind, name, created_at, confirmed_at, credential_id, public_key, sign_count, host)
      select gen_random_uuid(), id, 'passkey', 'Phone', now(), now(), 'x', 'x', 0, 'localhost' from users limit 1`.execute(
      openDatabase(pool),
    );
    const same = await doctor({ PUBLIC_URL: 'http://localhost:3000' });
    const moved = await doctor({ PUBLIC_URL: 'https://tickets.example' });
    await pool.query('delete from user_factors');

    expect(problemsIn(same.output)).toEqual([]);
    expect(problemsIn(moved.output)).toEqual([
      expect.stringMatching(/Passkeys made for localhost, which don't work on tickets\.example: 1\./),
    ]);
  });

  it('reports that the database is unreachable', async () => {
    const { exitCode, output } = await doctor({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none` });

    expect(problemsIn(output)).toEqual([expect.stringContaining('The remaining checks could not run: connect ')]);
    expect(exitCode).toBe(1);
  });

  it('runs queries without a time limit in a read-only transaction', async () => {
    const reading = openReadOnlyPool(await product.databaseAddress(), () => {});
    const { rows } = await reading.query("select current_setting('statement_timeout') as timeout");
    const written = await reading
      .query("update email_outbox set state = 'queued', sent_at = null")
      .catch((error: Error) => error.message);
    await reading.end();

    expect(rows).toEqual([{ timeout: '0' }]);
    expect(written).toBe('cannot execute UPDATE in a read-only transaction');
  });

  it('prints one line per problem, and changes nothing', async () => {
    const db = openDatabase(pool);
    const planted = await plantOrder(db, email, new Date(Date.now() - 60 * 60 * 1000));
    await plantWebhookEvent(db, planted);
    // The running server processes what it finds.
    const lock = await pool.connect();
    await lock.query('begin; set local idle_in_transaction_session_timeout = 0');
    await lock.query('select from webhook_events where processed_at is null for update');
    await sql`update email_outbox set state = 'queued', sent_at = null, created_at = now() - interval '1 hour'
               where id = (select id from email_outbox limit 1)`.execute(db);
    // Of a kind that no scheduled reconciliation resolves by itself.
    await sql`insert into discrepancies (id, kind, subject, event_id, cents, found_at)
              values (gen_random_uuid(), 'unknown-order', 'cs_nobody', null, 1, now())`.execute(db);
    const folder = path.join(product.dataDir, 'photos');
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name));

    const { exitCode, output } = await doctor();
    for (const problem of [
      'paid-orders-are-booked: ',
      'The oldest unprocessed webhook event has been waiting for 60 minutes.',
      'The oldest unsent email has been waiting for 60 minutes.',
      'Open discrepancies between the ledger and Stripe: 1.',
      'Photos without a file in ',
    ])
      expect(output).toContain(`FAIL      ${problem}`);
    expect(exitCode).toBe(1);
    expect(problemsIn((await doctor()).output)).toEqual(problemsIn(output));
    await lock.query('rollback');
    lock.release();
  });

  it('checks a database that is not running, and leaves it stopped', async () => {
    await pool.end();
    await product.stop();

    expect((await doctor()).output).toContain('FAIL      paid-orders-are-booked');
    expect(readdirSync(path.join(product.dataDir, 'postgres'))).not.toContain('postmaster.pid');
    await product.start();
    pool = openPool(await product.databaseAddress(), () => {});
  });

  it('reports forwarding headers that contradict TRUST_PROXY, and so does the next start [OPS-1]', async () => {
    for (let n = 0; n < 20; n++) await fetch(product.url, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    await product.restart();
    const problem = /\d+ of \d+ requests contradict TRUST_PROXY, which is 0/;

    expect(product.output()).toMatch(problem);
    expect(problemsIn((await doctor()).output).filter((line) => problem.test(line))).toHaveLength(1);
    expect((await doctor({ TRUST_PROXY: '1' })).output).toContain('No forwarding header contradicts TRUST_PROXY.');
  });

  it('says that there is no database', async () => {
    const { exitCode, output } = await doctor({ DATA_DIR: makeDataDirectory() });

    expect(output).toContain('There is no database in');
    expect(output).not.toContain('    at ');
    expect(exitCode).toBe(1);
  });
});
