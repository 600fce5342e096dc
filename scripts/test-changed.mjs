/**
 * `npm run test:changed`: runs the tests that the changed files can affect, nearest first, for about a minute.
 *
 * Covers what git has not committed yet; `npm run test:changed -- --since=main` adds the commits since `main`. Runs in
 * batches and stops at the first failing one. Green only means that the nearest tests passed; the output lists what is
 * left for `npm test`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from './browser.mjs';
import { runJourneys, runVitest } from './gates.mjs';
import { reachedBy } from './reach.mjs';
import { giveUp, root, secondsSince } from './run.mjs';

/** No batch starts later than this, or if one as long as the last would end after the second limit. */
const START_WITHIN_SECONDS = 60;
const END_WITHIN_SECONDS = 85;
/** Cost of a file in a vitest batch, which starts its own PostgreSQL. Each journey is a batch of its own. */
const COST = { pure: 1, product: 6 };
const BATCH_COST = 24;
const MAX_LISTED = 8;
/** A fixed order: a failure here comes from the change. */
const SEED = '1';
/** Playwright reports file names relative to this folder. */
const JOURNEYS = 'tests/journeys';

const start = Date.now();
const changes = changesSince(
  process.argv.find((argument) => argument.startsWith('--since='))?.slice('--since='.length),
);
if (changes.length === 0) {
  console.log('Nothing is changed.\n\n0 passed, 0 failed in 0.0 s');
  process.exit(0);
}

const reached = inOrder(reachedBy(readSourceFiles(), changes));
console.log(`Changed: ${listed(changes.map(({ path: file }) => file))}\nTest files reached: ${reached.length}`);

const left = [...reached];
const lastDuration = { vitest: 0, playwright: 0 };
let passed = 0;
let failed = 0;
while (left.length > 0 && failed === 0) {
  const runner = left[0].kind === 'journey' ? 'playwright' : 'vitest';
  const elapsed = (Date.now() - start) / 1000;
  if (elapsed > START_WITHIN_SECONDS || elapsed + lastDuration[runner] > END_WITHIN_SECONDS) break;
  await runBatch(runner, left.splice(0, batchSize(left)));
}

if (reached.length === 0) console.log('No test file is affected. Run npm test.');
else if (failed === 0) printRest();
console.log(`\n${passed} passed, ${failed} failed in ${secondsSince(start)}`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

async function runBatch(runner, files) {
  const batchStart = Date.now();
  const names = files.map(({ file }) => file);
  const outcome = await (runner === 'vitest'
    ? runVitest(
        names.map((file) => path.join(root, file)),
        SEED,
      )
    : journeys(names));
  const ran = new Set((outcome.files ?? []).map(({ name }) => (runner === 'vitest' ? name : `${JOURNEYS}/${name}`)));
  const missing = names.filter((file) => !ran.has(file));
  const isGreen = outcome.succeeded && missing.length === 0;
  lastDuration[runner] = (Date.now() - batchStart) / 1000;
  passed += outcome.tests?.passed ?? 0;
  failed += isGreen ? 0 : Math.max(1, outcome.tests?.failed ?? 0);
  console.log(`${isGreen ? 'ok  ' : 'FAIL'} ${listed(names)} ${secondsSince(batchStart)}`);
  if (!outcome.succeeded) console.log(`\n${outcome.output}`);
  else if (missing.length > 0) console.log(`\nNot run by ${runner}: ${missing.join(', ')}`);
}

async function journeys(names) {
  process.env.CHROMIUM_PATH ??= (await findBrowser()) ?? '';
  return runJourneys(
    names.map((file) => `${RegExp.escape(path.join(root, file))}$`),
    SEED,
  );
}

/**
 * After a change in the web pages journeys come early, otherwise last: they are slow, and tests of endpoints find more.
 */
function inOrder(files) {
  const isWeb = changes.every(({ path: file }) => /^src\/(?:web|worker)\//.test(file));
  const late = { pure: 0, product: 2, journey: isWeb ? 1 : 6 };
  return files.toSorted((one, other) => one.distance + late[one.kind] - other.distance - late[other.kind]);
}

/** Size of the next batch. */
function batchSize(files) {
  if (files[0].kind === 'journey') return 1;
  let cost = 0;
  const end = files.findIndex(({ kind }) => {
    cost += COST[kind] ?? BATCH_COST;
    return kind === 'journey' || cost > BATCH_COST;
  });
  return end === -1 ? files.length : end;
}

function printRest() {
  const nearest = left.map(({ file }) => file);
  if (left.length > 0) console.log(`\nLeft to npm test: ${left.length} reached files, ${listed(nearest)}`);
  console.log(
    `${left.length > 0 ? '' : '\n'}Tests that no import, call or address leads to did not run either. npm test runs them.`,
  );
}

function listed(names) {
  const more = names.length - MAX_LISTED;
  return [...names.slice(0, MAX_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** @returns {import('./reach.mjs').Change[]} */
function changesSince(since) {
  const base = since ? git('merge-base', since, 'HEAD').trim() : 'HEAD';
  const before = new Set(paths(git('ls-tree', '-r', '--name-only', '-z', base)));
  const changed = paths(git('diff', '--name-only', '--no-renames', '-z', base));
  const untracked = paths(git('ls-files', '--others', '--exclude-standard', '-z'));
  return [...changed, ...untracked].map((file) => ({
    path: file,
    before: before.has(file) ? git('show', `${base}:${file}`) : null,
    after: existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : null,
  }));
}

function readSourceFiles() {
  const tracked = paths(
    git('ls-files', '--cached', '--others', '--exclude-standard', '-z', 'clients', 'src', 'tests', 'scripts', 'bench'),
  );
  const sources = tracked.filter((file) => /\.(?:ts|tsx|mjs|js)$/.test(file) && existsSync(path.join(root, file)));
  return new Map(sources.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

function paths(output) {
  return output.split('\0').filter((file) => file !== '');
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' });
  } catch (error) {
    return giveUp(`git ${args.join(' ')} failed: ${error.stderr || error.message}`);
  }
}
