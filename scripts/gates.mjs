/**
 * The gates of `npm run check`, cheapest first. Each resolves to whether it passed, what it said, how many tests it ran, and how
 * long each of their files took. The last two run the test files that have one of `names` in their path, or all, in the order
 * that `seed` makes; playwright reads a name as a regular expression.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { failedJourneys, tellFailures } from './failures.mjs';
import { npmCommand } from './install.mjs';
import { run, withPackages } from './run.mjs';
import { timedJourneys } from './slowest.mjs';
import { buildWeb } from './web-build.mjs';

/** The last one is what checks and measures the others. */
const ROOMS = ['src/domain', 'src/contract', 'src/server', 'src/sandbox', 'src/web', 'src/service-worker', '.'];

export const gates = [
  {
    name: 'format',
    title: 'biome: format and order of imports',
    run: () => packaged('biome', 'check', '--max-diagnostics=8', '.'),
  },
  { name: 'lint', title: 'oxlint, with types', run: () => packaged('oxlint', '--quiet') },
  { name: 'types', title: 'tsc, room by room', run: checkTypes },
  { name: 'rule', title: 'dependency-cruiser: the import rule', run: checkImportRule },
  { name: 'unused', title: 'knip: unused files, exports and packages', run: () => packaged('knip') },
  { name: 'lock', title: 'the lock file is complete on every platform', run: checkLock },
  { name: 'build', title: 'vite: the web pages', run: buildWeb },
  { name: 'tests', title: 'vitest: rules and capabilities', run: runVitest },
  { name: 'journeys', title: 'playwright: the product in a browser', run: runJourneys },
];

const packaged = (program, ...args) => run(program, args, { env: withPackages() });

async function checkTypes() {
  for (const room of ROOMS) {
    const outcome = await packaged('tsc', '-p', room);
    if (!outcome.succeeded) return { ...outcome, said: `In ${room}:\n${outcome.said}` };
  }
  return { succeeded: true, said: '' };
}

// A parser that cannot read TypeScript finds nothing wrong in 0 modules.
async function checkImportRule() {
  const outcome = await packaged(
    'depcruise',
    '--config',
    '.dependency-cruiser.mjs',
    'src',
    'tests',
    'scripts',
    'bench',
  );
  const modules = Number(/(\d+) modules/.exec(outcome.said)?.[1] ?? 0);
  if (outcome.succeeded && modules === 0)
    return { succeeded: false, said: `dependency-cruiser read no modules.\n${outcome.said}` };
  return outcome;
}

// npm leaves a platform's package out of the lock file when its registry lacks it; then npm ci fails for everybody else.
async function checkLock() {
  const [program, args] = npmCommand('ci', '--dry-run', '--no-audit', '--no-fund');
  const outcome = await run(program, args);
  return { succeeded: outcome.succeeded && !outcome.said.includes('Missing:'), said: outcome.said };
}

export function runVitest(names, seed) {
  return withReport(async (report) => {
    const env = withPackages({ HANDSTAMP_REPORT: report });
    const reporters = ['--reporter=default', '--reporter=./scripts/vitest-report.mjs'];
    // Files only: the tests of one share an app, and tell one story after the other.
    const order = ['--sequence.shuffle.files', `--sequence.seed=${seed}`];
    const outcome = await run('vitest', ['run', '--passWithNoTests', ...order, ...reporters, ...names], { env });
    return counted(outcome, readReport(report), names);
  });
}

export function runJourneys(names, seed) {
  return withReport(async (report) => {
    const env = withPackages({ PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    const options = ['--pass-with-no-tests', `--shuffle=${seed}`, '--reporter=list,json'];
    const outcome = await run('playwright', ['test', ...options, ...names], { env });
    const found = readReport(report);
    if (!found) return counted(outcome);
    const { expected, unexpected, flaky, skipped } = found.stats;
    const failures = failedJourneys(found);
    const files = timedJourneys(found);
    return counted(outcome, { passed: expected, failed: unexpected + flaky, skipped, failures, files }, names);
  });
}

/** What vitest says last when it fails without a failed test: that it could not end, for one. */
const LAST_LINES = 150;

/** A skipped test is a failure: the bar is that everything ran. Only a name may match nothing in one of the runners. */
function counted(outcome, found, names = []) {
  const said = stripVTControlCharacters(outcome.said);
  if (!found) return { succeeded: false, said };
  const { passed, failed, skipped, failures, files } = found;
  return {
    succeeded: outcome.succeeded && failed === 0 && skipped === 0 && (passed > 0 || names.length > 0),
    said: failures.length > 0 ? tellFailures(failures) : said.split('\n').slice(-LAST_LINES).join('\n'),
    tests: { passed, failed: failed + skipped },
    files,
  };
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
}

async function withReport(work) {
  const directory = mkdtempSync(path.join(tmpdir(), 'handstamp-report-'));
  try {
    return await work(path.join(directory, 'report.json'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
