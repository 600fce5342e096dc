/** Looks the whole installation over, and changes nothing. For an operator, whether the product runs or not. */
import { existsSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Db, isConnectionError, openDatabase, type Pool } from '#server/platform/database.ts';
import { isMigrated } from '#server/platform/migrate.ts';
import { answersTo, backlogOf, databaseNow, photoFileNames } from './checks.sql.ts';
import { type Invariant, readInvariants } from './invariants.ts';

export interface Examined {
  isGood: boolean;
  words: string;
}

interface Patient {
  pool: Pool;
  dataDir: string;
}

const SHOWN = 10;
const FREE_AT_LEAST = 0.05;
const SKEW_SECONDS = 2;
const WEBHOOK_SECONDS = 5 * 60;
const EMAIL_SECONDS = 15 * 60;

export async function examine(patient: Patient): Promise<Examined[]> {
  const found: Examined[] = [];
  try {
    for await (const one of findings(patient)) found.push(one);
  } catch (error) {
    found.push(bad(`The database cannot be examined any further: ${wordsOf(error)}`));
  }
  return found;
}

async function* findings({ pool, dataDir }: Patient): AsyncGenerator<Examined> {
  const db = openDatabase(pool);
  yield* await asked(`The disk of ${dataDir}`, () => diskSpace(dataDir));
  // The least of all questions: a database that does not answer it answers none.
  yield clockSkew(db);
  const isReady = await isMigrated(pool).catch(() => false);
  // What the older tables would answer is not worth much.
  if (!isReady) {
    yield bad('The database lacks migrations: the next start of the product applies them.');
    return;
  }
  yield good('The database has every migration.');
  yield* await money(db);
  yield* await asked('What is waiting', () => waiting(db));
  yield* await asked('Where the photos are', () => photos(db, path.join(dataDir, 'photos')));
}

/** A question without an answer is a finding, too, and keeps nobody from asking the next; unless nobody answers any more. */
async function asked(about: string, ask: () => Promise<Examined[]>): Promise<Examined[]> {
  try {
    return await ask();
  } catch (error) {
    if (isConnectionError(error)) throw error;
    return [bad(`${about} cannot be examined: ${wordsOf(error)}`)];
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const good = (words: string): Examined => ({ isGood: true, words });
const bad = (words: string): Examined => ({ isGood: false, words });
const either = (isGood: boolean, words: string): Examined => ({ isGood, words });

async function diskSpace(dataDir: string): Promise<Examined[]> {
  const { bavail, blocks, bsize } = await statfs(nearest(dataDir));
  const free = `${Math.floor((bavail / blocks) * 100)} % (${Math.floor((bavail * bsize) / 1024 ** 2)} MB)`;
  return [either(bavail / blocks >= FREE_AT_LEAST, `The disk of ${dataDir} has ${free} free.`)];
}

/** With a database and a secret of one's own, the first photo makes the folder: until then, where it will be made. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(path.dirname(folder)));

async function clockSkew(db: Db): Promise<Examined> {
  const asked = Date.now();
  const theirs = (await databaseNow(db)).getTime();
  const seconds = Math.round(((asked + Date.now()) / 2 - theirs) / 1000);
  return Math.abs(seconds) <= SKEW_SECONDS
    ? good("This machine's clock agrees with the database's.")
    : bad(`This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database's.`);
}

async function money(db: Db): Promise<Examined[]> {
  const questions = readInvariants();
  const broken: Examined[] = [];
  for (const invariant of questions) broken.push(...(await asked(invariant.name, () => breaches(db, invariant))));
  return broken.length > 0 ? broken : [good(`All ${questions.length} invariants of the money hold.`)];
}

async function breaches(db: Db, { name, question }: Invariant): Promise<Examined[]> {
  const rows = await answersTo(db, question);
  const shown = rows.slice(0, SHOWN).map(({ subject, found }) => bad(`${name}: ${subject}: ${found}`));
  return rows.length > SHOWN ? [...shown, bad(`${name}: and ${rows.length - SHOWN} more`)] : shown;
}

async function waiting(db: Db): Promise<Examined[]> {
  const { noticeSeconds, mailSeconds, differences } = await backlogOf(db);
  return [
    backlog('notice of the card company', noticeSeconds, WEBHOOK_SECONDS),
    backlog('mail', mailSeconds, EMAIL_SECONDS),
    differences === 0
      ? good('No difference between our books and those of the card company is open.')
      : bad(
          `Open differences between our books and those of the card company: ${differences}. They stand on /dashboard.`,
        ),
  ];
}

function backlog(what: string, seconds: number | null, atMost: number): Examined {
  if (seconds === null) return good(`No ${what} is waiting.`);
  return either(seconds <= atMost, `The oldest ${what} has been waiting for ${Math.floor(seconds / 60)} minutes.`);
}

/** A file without a row only takes room; a row without a file is a hole in a page. */
async function photos(db: Db, folder: string): Promise<Examined[]> {
  const rows = new Set(await photoFileNames(db));
  // Made with the first photo.
  const files = new Set(rows.size === 0 && !existsSync(folder) ? [] : await readdir(folder));
  const lost = [...rows].filter((name) => !files.has(name));
  const left = [...files].filter((name) => name.endsWith('.webp') && !rows.has(name));
  return [
    lost.length === 0
      ? good(`Each of the ${rows.size} photos has its file in ${folder}.`)
      : bad(`Photos without a file in ${folder}: ${lost.length}, such as ${lost[0]}.`),
    ...(left.length > 0
      ? [good(`Files in ${folder} that no event shows: ${left.length}, such as ${left[0]}. They may be removed.`)]
      : []),
  ];
}
