/** Changes one account's rights, sessions or factors, or records a backup. Works whether or not the server is running. */
import { appointAdmin, endSessionsOf, forgetFactorsOf } from '#server/accounts/appoint-admin.ts';
import { recordBackup } from '#server/backoffice/watch/record-backup.ts';
import { endRestore, markRestored } from '#server/payments/restores/restores.sql.ts';
import { joinEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/join-postgres.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/database.ts';
import { giveUp } from './run.mjs';

const commands = {
  grant: {
    run: (deps, email) => appointAdmin(deps, { email, isAdmin: true }),
    done: (email) => `${email} is now an admin. After the next login, /dashboard is available.`,
  },
  revoke: {
    run: (deps, email) => appointAdmin(deps, { email, isAdmin: false }),
    done: (email) => `${email} is no longer an admin.`,
  },
  'log-out': {
    run: endSessionsOf,
    done: (email) => `${email} is logged out everywhere.`,
  },
  'forget-factors': {
    run: forgetFactorsOf,
    done: (email) => `${email} logs in with the password alone, and is logged out everywhere.`,
  },
  restored: {
    isAboutNoOne: true,
    run: (deps) => markRestored(deps.db).then(() => true),
    done: () => 'Payouts and refunds wait until the database agrees with Stripe.',
  },
  'restore-done': {
    isAboutNoOne: true,
    run: (deps) => endRestore(deps.db).then(() => true),
    done: () => 'Payouts and refunds go on.',
  },
  'backup-done': {
    isAboutNoOne: true,
    run: (deps) => recordBackup(deps).then(() => true),
    done: () => 'The backup is recorded.',
  },
};

const [name, email] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : null;
if (!command || (!email && !command.isAboutNoOne))
  giveUp('Say who: npm run admin -- grant EMAIL, or with revoke, log-out or forget-factors instead of grant.');

const isKnown = await runCommand().catch((error) => giveUp(error.message));
if (!isKnown) giveUp(`No account has the email ${email}. Register it at /register first.`);
console.log(command.done(email));

async function runCommand() {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const embedded = databaseUrl === null ? await joinEmbeddedPostgres({ dataDir }) : null;
  const pool = openPool(databaseUrl ?? embedded.connectionString, () => {});
  try {
    return await command.run({ db: openDatabase(pool) }, email);
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}
