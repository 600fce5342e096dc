/** Runs the doctor's checks against the database that `npm start` would use, running or not. Read-only. */

import { runChecks } from '#server/backoffice/doctor/run-checks.ts';
import { joinEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/join-postgres.ts';
import { findMailServerProblem } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import { readConfig } from '#server/platform/config.ts';
import { openReadOnlyPool } from '#server/platform/database.ts';
import { readAppSecret } from '#server/platform/secrets.ts';
import { giveUp } from './run.mjs';

const checks = await checkInstallation().catch((error) => giveUp(`Can't check the database: ${error.message}`));
for (const { passed, message } of checks) console.log(`${passed ? 'ok      ' : 'FAIL    '}  ${message}`);
const failed = checks.filter(({ passed }) => !passed).length;
console.log(failed === 0 ? '\nAll checks passed.' : `\n${failed} ${failed === 1 ? 'check' : 'checks'} failed.`);
process.exitCode = failed === 0 ? 0 : 1;

async function checkInstallation() {
  const { databaseUrl, dataDir, publicUrl, smtpUrl, smtpAllowsPlainText, trustedProxies, ...config } = readConfig(
    process.env,
  );
  const server = { url: smtpUrl ?? '', allowsPlainText: smtpAllowsPlainText };
  const mailServer = smtpUrl === null ? null : { ...server, findProblem: () => findMailServerProblem(server) };
  const embedded = databaseUrl === null ? await joinEmbeddedPostgres({ dataDir }) : null;
  const appSecret = config.appSecret ?? (await readAppSecret(dataDir));
  const pool = openReadOnlyPool(databaseUrl ?? embedded.connectionString, () => {});
  try {
    return await runChecks({ pool, dataDir, databaseUrl, publicUrl, mailServer, trustedProxies, appSecret });
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}
