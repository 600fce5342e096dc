/**
 * Runs the doctor's checks against the database that `npm start` would use, running or not; with `--install`, those of what an
 * installation needs. Read-only.
 */

import { checkReadiness } from '#server/backoffice/doctor/readiness.ts';
import { runChecks } from '#server/backoffice/doctor/run-checks.ts';
import { installationOf } from '#server/main/installation.ts';
import { openFiles } from '#server/main/open-files.ts';
import { joinEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/join-postgres.ts';
import { readConfig } from '#server/platform/config.ts';
import { openReadOnlyPool } from '#server/platform/database.ts';
import { readAppSecret } from '#server/platform/secrets.ts';
import { giveUp } from './run.mjs';

const unknown = process.argv.slice(2).filter((option) => option !== '--install');
if (unknown.length > 0) giveUp(`Unknown option: ${unknown.join(', ')}. The only one is --install.`);

const checks = await checkInstallation().catch((error) => giveUp(`Can't check the database: ${error.message}`));
for (const { passed, message } of checks) console.log(`${passed ? 'ok      ' : 'FAIL    '}  ${message}`);
const failed = checks.filter(({ passed }) => !passed).length;
console.log(failed === 0 ? '\nAll checks passed.' : `\n${failed} ${failed === 1 ? 'check' : 'checks'} failed.`);
process.exitCode = failed === 0 ? 0 : 1;

async function checkInstallation() {
  const config = readConfig(process.env);
  const { databaseUrl, dataDir } = config;
  const embedded = databaseUrl === null ? await joinEmbeddedPostgres({ dataDir }) : null;
  const appSecret = config.appSecret ?? (await readAppSecret(dataDir));
  const pool = openReadOnlyPool(databaseUrl ?? embedded.connectionString, () => {});
  try {
    if (process.argv.includes('--install')) return await checkReadiness(config, pool);
    return await runChecks(installationOf(config, { pool, appSecret, files: await openFiles(config) }));
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}
