/** Read-only health checks of an installation, whether the product is running or not. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { openRestore } from '#server/payments/restores/restores.sql.ts';
import { type Db, isConnectionError, openDatabase, type Pool } from '#server/platform/database.ts';
import { findProxyProblem } from '#server/platform/http/proxy-headers.ts';
import { isMigrated } from '#server/platform/migrate.ts';
import type { PhotoStore } from '#server/platform/ports/photo-store.ts';
import type { AppSecret } from '#server/platform/secrets.ts';
import { type CheckResult, fail, pass, passIf } from './check-result.ts';
import {
  backlogOf,
  databaseNow,
  lastBackupCheck,
  passkeysOfOtherHosts,
  photoFileNames,
  runInvariant,
} from './checks.sql.ts';
import { checkDatabaseAddress, checkMailServer, type MailServerCheck } from './encryption.ts';
import { type Invariant, readInvariants } from './invariants.ts';
import { checkSealedValues } from './sealed-values.ts';

export interface Installation {
  pool: Pool;
  dataDir: string;
  /** Null for the embedded database. */
  databaseUrl: string | null;
  publicUrl: string;
  /** Null for the sandbox's inbox. */
  mailServer: MailServerCheck | null;
  trustedProxies: number;
  /** Null before the first start. */
  appSecret: AppSecret | null;
  files: FilesCheck;
  /** What is wrong with the key. Null for the sandbox. */
  findKeyProblem: (() => Promise<string | null>) | null;
}

interface FilesCheck {
  photos: PhotoStore;
  /** A folder, or a bucket. */
  place: string;
  /** Null on a disk, whose space is checked. */
  findProblem: (() => Promise<{ reason: string } | null>) | null;
}

const VIOLATIONS_SHOWN = 10;
const FREE_SHARE_MIN = 0.05;
const SKEW_SECONDS_MAX = 2;
const WEBHOOK_SECONDS_MAX = 5 * 60;
const EMAIL_SECONDS_MAX = 15 * 60;

export async function runChecks(installation: Installation): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  try {
    for await (const result of checkAll(installation)) results.push(result);
  } catch (error) {
    results.push(fail(`The remaining checks could not run: ${messageOf(error)}`));
  }
  return results;
}

/** Of a restored copy: what depends on the data alone. */
export const checkCopy = (db: Db): Promise<CheckResult[]> => checkInvariants(db);

/** Has alerts of its own. */
const BACKLOG = 'Backlog';

/** The names of the checks that fail. */
export async function failedChecks(installation: Installation): Promise<string[]> {
  const results = await runChecks(installation);
  return [...new Set(results.filter(({ passed }) => !passed).map(({ name }) => name ?? 'Checks'))].filter(
    (name) => name !== BACKLOG,
  );
}

async function* checkAll({
  pool,
  dataDir,
  databaseUrl,
  publicUrl,
  mailServer,
  trustedProxies,
  appSecret,
  files,
  findKeyProblem,
}: Installation): AsyncGenerator<CheckResult> {
  const db = openDatabase(pool);
  yield* await attempt(`Disk space of ${dataDir}`, () => checkDiskSpace(dataDir));
  if (mailServer !== null) yield* await attempt('Mail server', async () => [await checkMailServer(mailServer)]);
  if (findKeyProblem !== null) yield* await attempt('Stripe key', () => checkStripeKey(findKeyProblem));
  if (databaseUrl !== null) yield* await attempt('Database address', async () => [checkDatabaseAddress(databaseUrl)]);
  // Not wrapped in `attempt`: if this query fails, so would every other one.
  yield { ...(await checkClockSkew(db)), name: 'Clock' };
  const isReady = await isMigrated(pool).catch(() => false);
  // The other checks expect the current schema.
  if (!isReady) {
    yield { ...fail('The database has pending migrations. The next start applies them.'), name: 'Migrations' };
    return;
  }
  yield pass('All migrations are applied.');
  yield* await checkInvariants(db);
  yield* await attempt('Proxies', () => checkProxies(db, trustedProxies));
  if (appSecret !== null) yield* await attempt('App secret', async () => [await checkSealedValues(db, appSecret)]);
  yield* await attempt('Backup', () => checkBackup(db));
  yield* await attempt('Restore', () => checkRestore(db));
  yield* await attempt('Passkeys', () => checkPasskeys(db, publicUrl));
  yield* await attempt(BACKLOG, () => checkBacklog(db));
  const { findProblem } = files;
  if (findProblem !== null) yield* await attempt('Bucket of photos', () => checkBucket(files.place, findProblem));
  yield* await attempt('Photos', () => checkPhotos(db, files));
}

/** A check that throws is reported as failed, and the next ones still run unless the database is out of reach. */
async function attempt(subject: string, check: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  try {
    return (await check()).map((result) => ({ name: subject, ...result }));
  } catch (error) {
    if (isConnectionError(error)) throw error;
    return [{ ...fail(`${subject}: check failed: ${messageOf(error)}`), name: subject }];
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function checkStripeKey(findProblem: () => Promise<string | null>): Promise<CheckResult[]> {
  const problem = await findProblem();
  return [problem === null ? pass('Stripe accepts the key.') : fail(problem)];
}

async function checkDiskSpace(dataDir: string): Promise<CheckResult[]> {
  const { bavail, blocks, bsize } = await statfs(nearestExisting(dataDir));
  const free = `${Math.floor((bavail / blocks) * 100)} % (${Math.floor((bavail * bsize) / 1024 ** 2)} MB)`;
  return [passIf(bavail / blocks >= FREE_SHARE_MIN, `The disk of ${dataDir} has ${free} free.`)];
}

/** With an external database, the data directory is created with the first photo. */
const nearestExisting = (folder: string): string =>
  existsSync(folder) ? folder : nearestExisting(path.dirname(folder));

async function checkClockSkew(db: Db): Promise<CheckResult> {
  const startedAt = Date.now();
  const databaseTime = (await databaseNow(db)).getTime();
  const seconds = Math.round(((startedAt + Date.now()) / 2 - databaseTime) / 1000);
  return Math.abs(seconds) <= SKEW_SECONDS_MAX
    ? pass("This machine's clock agrees with the database's.")
    : fail(`This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database's.`);
}

async function checkInvariants(db: Db): Promise<CheckResult[]> {
  const invariants = readInvariants();
  const failures: CheckResult[] = [];
  for (const invariant of invariants)
    failures.push(...(await attempt(invariant.name, () => violationsOf(db, invariant))));
  return failures.length > 0 ? failures : [pass(`All ${invariants.length} invariants hold.`)];
}

async function violationsOf(db: Db, { name, query: question }: Invariant): Promise<CheckResult[]> {
  const rows = await runInvariant(db, question);
  const shown = rows.slice(0, VIOLATIONS_SHOWN).map(({ subject, found }) => fail(`${name}: ${subject}: ${found}`));
  return rows.length > VIOLATIONS_SHOWN
    ? [...shown, fail(`${name}: and ${rows.length - VIOLATIONS_SHOWN} more`)]
    : shown;
}

async function checkProxies(db: Db, trustedProxies: number): Promise<CheckResult[]> {
  const problem = await findProxyProblem(db, trustedProxies);
  return [problem ? fail(problem) : pass('No forwarding header contradicts TRUST_PROXY.')];
}

async function checkBackup(db: Db): Promise<CheckResult[]> {
  const check = await lastBackupCheck(db);
  if (!check) return [pass('No backup was checked yet: npm run backup:verify.')];
  const at = check.checkedAt.toISOString();
  return [
    check.failedStep === null
      ? pass(`The backup was good at ${at}.`)
      : fail(`The backup was broken at ${at}, in the step "${check.failedStep}". Run npm run backup:verify.`),
  ];
}

async function checkRestore(db: Db): Promise<CheckResult[]> {
  const since = await openRestore(db);
  if (!since) return [pass('No restore waits to be reconciled with Stripe.')];
  return [
    fail(
      `The database was restored at ${since.toISOString()}. Payouts and refunds wait until it agrees with Stripe, at least 15 minutes: see /dashboard. Once you have decided what still differs: npm run admin -- restore-done.`,
    ),
  ];
}

/** A new host makes passkeys useless. Only people without another factor need help. */
async function checkPasskeys(db: Db, publicUrl: string): Promise<CheckResult[]> {
  const { hostname } = new URL(publicUrl);
  const others = await passkeysOfOtherHosts(db, hostname);
  if (others.length === 0)
    return [pass(`No one depends on a passkey that is known to be of another host than ${hostname}.`)];
  return others.map(({ host, count }) =>
    fail(
      `Passkeys made for ${host}, which don't work on ${hostname}: ${count}. Their owners have no other factor: run npm run admin -- forget-factors EMAIL for those who ask.`,
    ),
  );
}

async function checkBacklog(db: Db): Promise<CheckResult[]> {
  const { webhookSeconds, emailSeconds, discrepancies } = await backlogOf(db);
  return [
    checkOldest('unprocessed webhook event', webhookSeconds, WEBHOOK_SECONDS_MAX),
    checkOldest('unsent email', emailSeconds, EMAIL_SECONDS_MAX),
    discrepancies === 0
      ? pass('No open discrepancies between the ledger and Stripe.')
      : fail(`Open discrepancies between the ledger and Stripe: ${discrepancies}. See /dashboard.`),
  ];
}

function checkOldest(name: string, seconds: number | null, maxSeconds: number): CheckResult {
  if (seconds === null) return pass(`No ${name} is waiting.`);
  return passIf(seconds <= maxSeconds, `The oldest ${name} has been waiting for ${Math.floor(seconds / 60)} minutes.`);
}

async function checkBucket(place: string, findProblem: NonNullable<FilesCheck['findProblem']>): Promise<CheckResult[]> {
  const problem = await findProblem();
  return [
    problem === null
      ? pass(`Objects in ${place} can be written, read, listed and deleted.`)
      : fail(`Photos can't be stored in ${place}: ${problem.reason}.`),
  ];
}

/** A row without a file breaks a page; a file without a row only wastes space. */
async function checkPhotos(db: Db, { photos, place }: FilesCheck): Promise<CheckResult[]> {
  const rows = new Set(await photoFileNames(db));
  const files = new Set<string>();
  for await (const { fileName } of photos.list()) files.add(fileName);
  const missing = [...rows].filter((name) => !files.has(name));
  const unused = [...files].filter((name) => name.endsWith('.webp') && !rows.has(name));
  return [
    missing.length === 0
      ? pass(`All ${rows.size} photos have a file in ${place}.`)
      : fail(`Photos without a file in ${place}: ${missing.length}, for example ${missing[0]}.`),
    ...(unused.length > 0
      ? [pass(`Unused files in ${place}: ${unused.length}, for example ${unused[0]}. They can be removed.`)]
      : []),
  ];
}
