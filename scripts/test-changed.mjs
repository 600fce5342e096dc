/**
 * `npm run test:changed`: what the changed files can reach, nearest first, as far as a minute goes.
 *
 * Changed is what git has not committed yet; `npm run test:changed -- --since=main` adds the commits since `main`. It runs in waves
 * and ends with the first that fails. Green means only that the nearest tests passed: it says what is left to `npm test`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from './browser.mjs';
import { runJourneys, runVitest } from './gates.mjs';
import { reachedBy } from './reach.mjs';
import { giveUp, root, secondsSince } from './run.mjs';

/** No wave begins after this, or where one as long as the last would end after the other. */
const BEGIN_WITHIN_SECONDS = 60;
const END_WITHIN_SECONDS = 85;
/** What a file takes in a wave of vitest, which starts its own PostgreSQL; a journey is a wave of its own. */
const COST = { pure: 1, product: 6 };
const COST_OF_WAVE = 24;
const TOLD_MOST = 8;
/** Always the same order: what is red here is the change. */
const SEED = '1';
/** Playwright names its files from here. */
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
const lasted = { vitest: 0, playwright: 0 };
let passed = 0;
let failed = 0;
while (left.length > 0 && failed === 0) {
  const runner = left[0].kind === 'journey' ? 'playwright' : 'vitest';
  const elapsed = (Date.now() - start) / 1000;
  if (elapsed > BEGIN_WITHIN_SECONDS || elapsed + lasted[runner] > END_WITHIN_SECONDS) break;
  await runWave(runner, left.splice(0, lengthOfWave(left)));
}

if (reached.length === 0) console.log('No test file is reached. Run npm test.');
else if (failed === 0) tellRest();
console.log(`\n${passed} passed, ${failed} failed in ${secondsSince(start)}`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

async function runWave(runner, files) {
  const waveStart = Date.now();
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
  lasted[runner] = (Date.now() - waveStart) / 1000;
  passed += outcome.tests?.passed ?? 0;
  failed += isGreen ? 0 : Math.max(1, outcome.tests?.failed ?? 0);
  console.log(`${isGreen ? 'ok  ' : 'FAIL'} ${listed(names)} ${secondsSince(waveStart)}`);
  if (!outcome.succeeded) console.log(`\n${outcome.said}`);
  else if (missing.length > 0) console.log(`\nNot run by ${runner}: ${missing.join(', ')}`);
}

async function journeys(names) {
  process.env.CHROMIUM_PATH ??= (await findBrowser()) ?? '';
  return runJourneys(
    names.map((file) => `${RegExp.escape(path.join(root, file))}$`),
    SEED,
  );
}

/** Of a change of the web the journeys come early, of any other last: they take longest, and calls say more. */
function inOrder(files) {
  const isWeb = changes.every(({ path: file }) => /^src\/(?:web|worker)\//.test(file));
  const late = { pure: 0, product: 2, journey: isWeb ? 1 : 6 };
  return files.toSorted((one, other) => one.distance + late[one.kind] - other.distance - late[other.kind]);
}

/** As many of the next files as one start of a runner is for. */
function lengthOfWave(files) {
  if (files[0].kind === 'journey') return 1;
  let cost = 0;
  const end = files.findIndex(({ kind }) => {
    cost += COST[kind] ?? COST_OF_WAVE;
    return kind === 'journey' || cost > COST_OF_WAVE;
  });
  return end === -1 ? files.length : end;
}

function tellRest() {
  const nearest = left.map(({ file }) => file);
  if (left.length > 0) console.log(`\nLeft to npm test: ${left.length} reached files, ${listed(nearest)}`);
  console.log(
    `${left.length > 0 ? '' : '\n'}What no import, call or address leads to was not run either: npm test runs it.`,
  );
}

function listed(names) {
  const more = names.length - TOLD_MOST;
  return [...names.slice(0, TOLD_MOST), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
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
    git('ls-files', '--cached', '--others', '--exclude-standard', '-z', 'src', 'tests', 'scripts', 'bench'),
  );
  const sources = tracked.filter((file) => /\.(?:ts|tsx|mjs|js)$/.test(file) && existsSync(path.join(root, file)));
  return new Map(sources.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

function paths(said) {
  return said.split('\0').filter((file) => file !== '');
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' });
  } catch (error) {
    return giveUp(`git ${args.join(' ')} failed: ${error.stderr || error.message}`);
  }
}
