/** Finds the database as `npm start` does, running or not, and runs read-only health checks. */

import { runChecks } from '#server/backoffice/doctor/run-checks.ts';
import { joinEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/join-postgres.ts';
import { readConfig } from '#server/platform/config.ts';
import { openReadingPool } from '#server/platform/database.ts';
import { giveUp } from './run.mjs';

const results = await checkInstallation().catch((error) => giveUp(`The checks could not run: ${error.message}`));
for (const { passed, message } of results) console.log(`${passed ? 'ok      ' : 'NOT WELL'}  ${message}`);
const failed = results.filter(({ passed }) => !passed).length;
console.log(failed === 0 ? '\nAll is well.' : `\n${failed} ${failed === 1 ? 'thing is' : 'things are'} not well.`);
process.exitCode = failed === 0 ? 0 : 1;

async function checkInstallation() {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const embedded = databaseUrl === null ? await joinEmbeddedPostgres({ dataDir }) : null;
  const pool = openReadingPool(databaseUrl ?? embedded.connectionString, () => {});
  try {
    return await runChecks({ pool, dataDir });
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}
