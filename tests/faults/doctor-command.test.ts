import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, openPool, openReadingPool, type Pool } from '#server/platform/database.ts';
import { smallPhoto } from '#tests/support/call-samples.ts';
import { freePort } from '#tests/support/free-port.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { plantNotice, plantOrder } from '#tests/support/stuck-work.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';

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
  const place = placeOf(product);
  const event = await eventOnSale(place);
  email = event.email;
  await buyTickets(place, event.eventId, generalAdmission(2));
  await place.settle();
  expectOk(await uploadPhotos(event.visitor, event.eventId, [['a.png', await smallPhoto()]]));
  pool = openPool(await product.databaseAddress(), () => {});
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await product?.remove();
});

/** As `npm run doctor` runs it. */
function doctor(environment: Record<string, string> = {}): Promise<{ exitCode: number; said: string }> {
  const env = { ...process.env, DATA_DIR: product.dataDir, ...environment };
  return new Promise((resolve) =>
    execFile(process.execPath, ['scripts/doctor.mjs'], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, said: `${stdout}${stderr}`.trim() }),
    ),
  );
}

const notWell = (said: string) => said.split('\n').filter((line) => line.startsWith('NOT WELL'));

describe('npm run doctor', { timeout: 60_000 }, () => {
  it('looks at the disk where the data will be, before there is any', async () => {
    const folder = path.join(product.dataDir, 'not/there/yet');
    const { said } = await doctor({ DATABASE_URL: await product.databaseAddress(), DATA_DIR: folder });

    expect(said).toContain(`The disk of ${folder} has `);
  });

  it('says that all is well while the product runs', async () => {
    const { exitCode, said } = await doctor();

    expect(said).not.toContain('NOT WELL');
    expect(said).toMatch(/All \d+ invariants hold\./);
    expect(said).toContain('All 1 photos have a file');
    expect(exitCode).toBe(0);
  });

  it('says by how much the clock of this machine is wrong', async () => {
    const { exitCode, said } = await doctor(CLOCK);

    expect(said).toMatch(/NOT WELL {2}This machine's clock is (?:59|60|61) s ahead of the database's\./);
    expect(exitCode).toBe(1);
  });

  it('tells what it cannot look at, and looks at everything else', async () => {
    const holder = await pool.connect();
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0; lock table ticket_totals');
    const { exitCode, said } = await doctor();
    await holder.query('rollback');
    holder.release();

    expect(notWell(said)).toEqual([
      'NOT WELL  ticket-totals-equal-a-count: check failed: canceling statement due to lock timeout',
    ]);
    expect(said).toContain('All 1 photos have a file');
    expect(exitCode).toBe(1);
  });

  it('does so on another host, where the folder of the data is not', async () => {
    const elsewhere = path.join(makeDataDirectory(), 'nowhere');
    const address = await product.databaseAddress();
    const { exitCode, said } = await doctor({ DATA_DIR: elsewhere, DATABASE_URL: address });

    expect(notWell(said)).toEqual([expect.stringContaining('Photos: check failed: ENOENT')]);
    expect(said).toMatch(/All \d+ invariants hold\./);
    expect(exitCode).toBe(1);
  });

  it('says that the database is out of reach', async () => {
    const { exitCode, said } = await doctor({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none` });

    expect(notWell(said)).toEqual([expect.stringContaining('The remaining checks could not run: connect ')]);
    expect(exitCode).toBe(1);
  });

  it('asks questions that may take any time and can change nothing', async () => {
    const reading = openReadingPool(await product.databaseAddress(), () => {});
    const { rows } = await reading.query("select current_setting('statement_timeout') as timeout");
    const written = await reading.query('update mail_outbox set sent_at = null').catch((error: Error) => error.message);
    await reading.end();

    expect(rows).toEqual([{ timeout: '0' }]);
    expect(written).toBe('cannot execute UPDATE in a read-only transaction');
  });

  it('finds what is wrong, each thing in a line, and changes none of it', async () => {
    const db = openDatabase(pool);
    const planted = await plantOrder(db, email, new Date(Date.now() - 60 * 60 * 1000));
    await plantNotice(db, planted);
    await sql`update mail_outbox set sent_at = null, created_at = now() - interval '1 hour'
               where id = (select id from mail_outbox limit 1)`.execute(db);
    await sql`insert into differences (id, kind, subject, event_id, cents, words, found_at)
              values (gen_random_uuid(), 'payment', 'pi_1', null, 1, 'They differ.', now())`.execute(db);
    const folder = path.join(product.dataDir, 'photos');
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name));

    const { exitCode, said } = await doctor();
    for (const words of [
      'paid-orders-are-booked: ',
      'The oldest unprocessed webhook event has been waiting for 60 minutes.',
      'The oldest unsent email has been waiting for 60 minutes.',
      'Open discrepancies between the ledger and Stripe: 1.',
      'Photos without a file in ',
    ])
      expect(said).toContain(`NOT WELL  ${words}`);
    expect(exitCode).toBe(1);
    expect(notWell((await doctor()).said)).toEqual(notWell(said));
  });

  it('examines a database that is not running, and leaves it so', async () => {
    await pool.end();
    await product.stop();

    expect((await doctor()).said).toContain('NOT WELL  paid-orders-are-booked');
    expect(readdirSync(path.join(product.dataDir, 'postgres'))).not.toContain('postmaster.pid');
    await product.start();
    pool = openPool(await product.databaseAddress(), () => {});
  });

  it('says in a sentence that there is no database', async () => {
    const { exitCode, said } = await doctor({ DATA_DIR: makeDataDirectory() });

    expect(said).toContain('There is no database in');
    expect(said).not.toContain('    at ');
    expect(exitCode).toBe(1);
  });
});
