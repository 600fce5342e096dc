/**
 * Restores the newest backup of pgBackRest next to the running database, replays its WAL, migrates the copy and runs the doctor's checks
 * on it. Then it records the result in the running database, whose metrics and checks raise the alert. Says which step failed.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkCopy } from '#server/backoffice/doctor/run-checks.ts';
import { recordBackupCheck } from '#server/backoffice/watch/record-backup.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase, openOwnerPool, openPool, openReadOnlyPool } from '#server/platform/database.ts';
import { migrate, unknownMigrations } from '#server/platform/migrate.ts';
import { startCopy } from './restored-copy.mjs';
import { giveUp } from './run.mjs';

const options = {
  stanza: 'handstamp',
  'config-path': '/etc/pgbackrest',
  'pg-bin': newestPostgres(),
  folder: '/var/tmp',
  database: 'handstamp',
  'max-age-minutes': '15',
  // PostgreSQL archives what it has written after a minute at most.
  'archived-after-seconds': '90',
  ...Object.fromEntries(process.argv.slice(2).map((argument) => argument.replace(/^--/, '').split('='))),
};
const { databaseUrl } = readConfig(process.env);
if (databaseUrl === null) giveUp('The embedded database has no backups by pgBackRest. Set DATABASE_URL.');

const account = process.getuid() === 0 ? accountOf('postgres') : {};
const folder = mkdtempSync(path.join(options.folder, 'handstamp-backup-'));
if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
const began = Date.now();
/** @type {{ failedStep: string | null }} */
const outcome = { failedStep: null };
let copy = null;

try {
  const newest = step('find', 'The newest backup', findNewest);
  await untilArchived(newest);
  step('repository', 'All files in the repository have their checksums', verifyRepository);
  step('restore', `Restored ${newest.label}`, () =>
    pgbackrest('restore', `--pg1-path=${path.join(folder, 'data')}`, '--archive-mode=off'),
  );
  copy = await stepLater('recover', 'Replayed the WAL', () =>
    startCopy({ folder, programs: options['pg-bin'], account, database: options.database }),
  );
  await stepLater('recent', `The data ends at ${copy.endsAt.toISOString()}`, requireRecent);
  await stepLater('schema', 'This release knows the schema', checkSchema);
  await stepLater('checks', "The doctor's checks pass on the copy", checkData);
} catch (error) {
  console.error(`FAIL      ${outcome.failedStep}: ${error.message}`);
} finally {
  await copy?.stop();
  rmSync(folder, { recursive: true, force: true });
}
const seconds = Math.round((Date.now() - began) / 1000);
const isRecorded = await record().then(
  () => true,
  (error) => console.error(`FAIL      could not record the result: ${error.message}`),
);
console.log(
  outcome.failedStep
    ? `\nThe backup is broken: ${outcome.failedStep}.`
    : `\nThe backup is good. Restored and checked in ${seconds} s.`,
);
process.exitCode = outcome.failedStep || !isRecorded ? 1 : 0;

function step(name, done, work) {
  outcome.failedStep = name;
  const result = work();
  outcome.failedStep = null;
  console.log(`ok        ${done}`);
  return result;
}

async function stepLater(name, done, work) {
  outcome.failedStep = name;
  const result = await work();
  outcome.failedStep = null;
  console.log(`ok        ${done}`);
  return result;
}

function findNewest() {
  const [stanza] = JSON.parse(pgbackrest('info', '--output=json'));
  if (!stanza || stanza.status.code !== 0) throw new Error(stanza?.status.message ?? 'there is no backup');
  const newest = stanza.backup.at(-1);
  if (newest.error) throw new Error(`${newest.label} has page checksum errors`);
  return newest;
}

/** A backup that has just ended needs WAL that isn't in the repository yet. */
async function untilArchived({ timestamp }) {
  const rest = (timestamp.stop + Number(options['archived-after-seconds'])) * 1000 - Date.now();
  if (rest <= 0) return;
  console.log(`waiting   ${Math.ceil(rest / 1000)} s, until what was written after the backup is archived`);
  await sleep(rest);
}

/** It exits with 0 whatever it finds. */
function verifyRepository() {
  const report = pgbackrest('verify', '--log-level-console=info');
  if (report.includes('status: error')) throw new Error(report.slice(report.indexOf('stanza: ')));
}

function requireRecent() {
  const minutes = (Date.now() - copy.endsAt.getTime()) / 60_000;
  if (minutes > Number(options['max-age-minutes']))
    throw new Error(`the data ends ${Math.round(minutes)} minutes ago: archiving stopped, or WAL is missing`);
}

async function checkSchema() {
  const pool = openOwnerPool(copy.connectionString, () => {});
  try {
    const unknown = await unknownMigrations(pool);
    if (unknown.length > 0) throw new Error(`made by a newer release: ${unknown.join(', ')}`);
    await migrate(pool);
    // Its time stands still at its last change, so that nothing seems overdue because the restore took a while.
    await pool.query('update business_clock set offset_seconds = offset_seconds + extract(epoch from $1 - now())', [
      copy.endsAt,
    ]);
  } finally {
    await pool.end();
  }
}

async function checkData() {
  const pool = openReadOnlyPool(copy.connectionString, () => {});
  try {
    const failed = (await checkCopy(openDatabase(pool))).filter(({ passed }) => !passed);
    if (failed.length > 0) throw new Error(failed.map(({ message }) => message).join('\n          '));
  } finally {
    await pool.end();
  }
}

async function record() {
  const pool = openPool(databaseUrl, () => {});
  try {
    await recordBackupCheck({ db: openDatabase(pool) }, { ...outcome, seconds });
  } finally {
    await pool.end();
  }
}

function pgbackrest(command, ...rest) {
  // The path, because with the name of a file pgBackRest leaves out conf.d, where the passphrase is.
  const stanza = [`--config-path=${options['config-path']}`, `--stanza=${options.stanza}`];
  try {
    return execFileSync('pgbackrest', [...stanza, ...rest, command], {
      ...account,
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    throw new Error(`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message);
  }
}

function newestPostgres() {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).map(Number).filter(Number.isInteger) : [];
  return path.join(folder, String(Math.max(0, ...versions)), 'bin');
}

function accountOf(name) {
  const idOf = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
