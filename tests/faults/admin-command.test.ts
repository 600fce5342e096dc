import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOverview } from '#contract/app/admin.ts';
import { readFigures } from '#server/backoffice/watch/watch.sql.ts';
import { openDatabase, openPool } from '#server/platform/database.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.remove());

async function backupAge(): Promise<number> {
  const pool = openPool(await product.databaseAddress(), () => {});
  try {
    return (await readFigures(openDatabase(pool))).backupSeconds;
  } finally {
    await pool.end();
  }
}

/** Runs `npm run admin -- ...`. */
function admin(args: string[], dataDir = product.dataDir): Promise<{ exitCode: number; output: string }> {
  const env = { ...process.env, DATA_DIR: dataDir };
  return new Promise((resolve) =>
    execFile(process.execPath, ['scripts/admin.mjs', ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}${stderr}`.trim() }),
    ),
  );
}

describe('npm run admin', () => {
  it('grants and revokes the admin role, with the server running and stopped [ADM-1]', async () => {
    const { visitor, email } = await newOrganizer(siteOf(product));
    const status = async () => (await visitor.call(adminOverview, {})).status;

    expect(await admin(['grant', email.toUpperCase()])).toMatchObject({ exitCode: 0 });
    expect(await status()).toBe(200);
    await product.stop();
    expect(await admin(['revoke', email])).toEqual({ exitCode: 0, output: `${email} is no longer an admin.` });
    await product.start();
    expect(await status()).toBe(404);
  });

  it('records a backup, whose age counts from then on [WATCH-5]', async () => {
    await moveClock(product.sandboxUrl, 27 * 60 * 60);
    expect(await backupAge()).toBeGreaterThan(26 * 60 * 60);

    expect(await admin(['backup-done'])).toEqual({ exitCode: 0, output: 'The backup is recorded.' });

    expect(await backupAge()).toBeLessThan(60 * 60);
  });

  it.each([
    ['no account with the address', ['grant', 'nobody@example.com'], 'No account has the email nobody@example.com.'],
    ['no address', ['grant'], 'Say who: npm run admin -- grant EMAIL'],
    ['an unknown command', ['promote', 'ada@example.com'], 'Say who: npm run admin -- grant EMAIL'],
  ])('explains the failure when there is %s', async (_what, args, message) => {
    const { exitCode, output } = await admin(args);

    expect(exitCode).toBe(1);
    expect(output).toContain(message);
    expect(output).not.toContain('    at ');
  });

  it('does not create a database where there is none', async () => {
    const { exitCode, output } = await admin(['grant', 'ada@example.com'], makeDataDirectory());

    expect(exitCode).toBe(1);
    expect(output).toContain('There is no database in');
  });
});
