/** Looks the whole installation over, and changes nothing. For an operator, whether the product runs or not. */
import { existsSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Db, openDatabase, type Pool } from '#server/database.ts';
import { isMigrated } from '#server/migrate.ts';
import { answersTo, backlogOf, databaseNow, photoFileNames } from './doctor.sql.ts';
import { readInvariants } from './invariants.ts';

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
const NOTICE_SECONDS = 5 * 60;
const MAIL_SECONDS = 15 * 60;

export async function examine({ pool, dataDir }: Patient): Promise<Examined[]> {
  const db = openDatabase(pool);
  const room = [await diskSpace(dataDir), await clockSkew(db)];
  const isReady = await isMigrated(pool).catch(() => false);
  // What the older tables would answer is not worth much.
  if (!isReady) return [bad('The database lacks migrations: the next start of the product applies them.'), ...room];
  return [
    good('The database has every migration.'),
    ...room,
    ...(await money(db)),
    ...(await waiting(db)),
    ...(await photos(db, path.join(dataDir, 'photos'))),
  ];
}

const good = (words: string): Examined => ({ isGood: true, words });
const bad = (words: string): Examined => ({ isGood: false, words });
const either = (isGood: boolean, words: string): Examined => ({ isGood, words });

async function diskSpace(dataDir: string): Promise<Examined> {
  const { bavail, blocks, bsize } = await statfs(nearest(dataDir));
  const free = `${Math.floor((bavail / blocks) * 100)} % (${Math.floor((bavail * bsize) / 1024 ** 2)} MB)`;
  return either(bavail / blocks >= FREE_AT_LEAST, `The disk of ${dataDir} has ${free} free.`);
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
  for (const { name, question } of questions) {
    const rows = await answersTo(db, question);
    broken.push(...rows.slice(0, SHOWN).map(({ subject, found }) => bad(`${name}: ${subject}: ${found}`)));
    if (rows.length > SHOWN) broken.push(bad(`${name}: and ${rows.length - SHOWN} more`));
  }
  return broken.length > 0 ? broken : [good(`All ${questions.length} invariants of the money hold.`)];
}

async function waiting(db: Db): Promise<Examined[]> {
  const { noticeSeconds, mailSeconds, differences } = await backlogOf(db);
  return [
    backlog('notice of the card company', noticeSeconds, NOTICE_SECONDS),
    backlog('mail', mailSeconds, MAIL_SECONDS),
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
  const files = new Set(await readdir(folder).catch(() => []));
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
