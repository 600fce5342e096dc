/**
 * The gates of `npm run check`, in stages. Each resolves to its result, output, test count and time per file.
 * Tests and journeys run the test files with one of `names` in their path, or all of them, in the order of `seed`.
 * Playwright reads a name as a regular expression.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { retriesModules } from './browser.mjs';
import { failedJourneys, formatFailures } from './failures.mjs';
import { npmCommand } from './install.mjs';
import { run, secondsSince, withPackages } from './run.mjs';
import { timedJourneys } from './slowest.mjs';
import { buildWeb } from './web-build.mjs';

/** The last one is the tests and the benchmarks. */
const PROJECTS = [
  'src/domain',
  'src/contract',
  'src/messages',
  'src/server',
  'src/sandbox',
  'src/web',
  'src/service-worker',
  'clients/typescript',
  '.',
];

const CODE = [
  {
    name: 'format',
    title: 'biome: format, order of imports, repeated selectors',
    run: () => packaged('biome', 'check', '--max-diagnostics=8', '.'),
  },
  { name: 'lint', title: 'oxlint, with types', run: () => packaged('oxlint', '--quiet') },
  { name: 'types', title: 'tsc, project by project', run: checkTypes },
  { name: 'rule', title: 'dependency-cruiser: the import rule', run: checkImportRule },
  { name: 'unused', title: 'knip: unused files, exports and packages', run: () => packaged('knip') },
  { name: 'lock', title: 'the lock file is complete on every platform', run: checkLock },
  { name: 'build', title: 'vite: the web pages', run: buildWeb },
];
const TESTS = [{ name: 'tests', title: 'vitest: rules and capabilities', run: runVitest }];
const JOURNEYS = [{ name: 'journeys', title: 'playwright: the product in a browser', run: runJourneys }];
/** Needs the machine to itself. With names, the tests gate runs it if it matches. */
const LOAD = [{ name: 'load', title: 'vitest: the product under overload', run: runLoadTests }];

/** Each stage needs the one before; the gates within a stage don't depend on each other. */
export const stages = [CODE, TESTS, JOURNEYS, LOAD];

/** Two at a time, because one rarely keeps two cores busy. Yields the outcomes in the order of the gates. */
export async function* runGates(gates, names, seed) {
  const outcomes = [];
  const running = new Set();
  for (const gate of gates) {
    if (running.size === 2) await Promise.race(running);
    const outcome = timed(gate, names, seed).finally(() => running.delete(outcome));
    running.add(outcome);
    outcomes.push(outcome);
  }
  yield* outcomes;
}

async function timed(gate, names, seed) {
  const start = Date.now();
  return { gate, ...(await gate.run(names, seed)), took: secondsSince(start) };
}

const packaged = (program, ...args) => run(program, args, { env: withPackages() });

async function checkTypes() {
  const problems = [];
  for (const project of PROJECTS) {
    const outcome = await packaged('tsc', '-p', project);
    if (!outcome.succeeded) problems.push(`In ${project}:\n${outcome.output}`);
  }
  return { succeeded: problems.length === 0, output: problems.join('\n') };
}

// If the parser can't read TypeScript, it reports 0 modules and no errors.
async function checkImportRule() {
  const outcome = await packaged(
    'depcruise',
    '--config',
    '.dependency-cruiser.mjs',
    'src',
    'tests',
    'scripts',
    'bench',
    'clients/typescript/src',
  );
  const modules = Number(/(\d+) modules/.exec(outcome.output)?.[1] ?? 0);
  if (outcome.succeeded && modules === 0)
    return { succeeded: false, output: `dependency-cruiser read no modules.\n${outcome.output}` };
  return outcome;
}

// npm omits a platform's package from the lock file when the registry lacks it, and npm ci then fails on that platform.
async function checkLock() {
  const [program, args] = npmCommand('ci', '--dry-run', '--no-audit', '--no-fund');
  const outcome = await run(program, args);
  return { succeeded: outcome.succeeded && !outcome.output.includes('Missing:'), output: outcome.output };
}

/** Without names, all but the load tests. */
export function runVitest(names, seed) {
  return vitest(names.length > 0 ? [] : ['--project=!load'], names, seed);
}

function runLoadTests(_names, seed) {
  return vitest(['--project=load'], [], seed);
}

function vitest(projects, names, seed) {
  return withReport(async (report) => {
    const env = withPackages({ HANDSTAMP_REPORT: report });
    const reporters = ['--reporter=default', '--reporter=./scripts/vitest-report.mjs'];
    // Shuffles files only: tests within a file may depend on each other.
    const order = ['--sequence.shuffle.files', `--sequence.seed=${seed}`];
    const options = ['--passWithNoTests', ...projects, ...order, ...reporters];
    const outcome = await run('vitest', ['run', ...options, ...names], { env });
    return counted(outcome, readReport(report), names);
  });
}

/** Tag of journeys in which a page loads a module again after a failure. */
const MODULE_RETRY = '@module-retry';

export function runJourneys(names, seed) {
  return withReport(async (report) => {
    const env = withPackages({ PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    const options = ['--pass-with-no-tests', `--shuffle=${seed}`, '--reporter=list,json'];
    if (!(await retriesModules(process.env.CHROMIUM_PATH))) {
      console.log(`${process.env.CHROMIUM_PATH} is too old for the journeys tagged ${MODULE_RETRY}. They don't run.`);
      options.push(`--grep-invert=${MODULE_RETRY}`);
    }
    const outcome = await run('playwright', ['test', ...options, ...names], { env });
    const found = readReport(report);
    if (!found) return counted(outcome);
    const { expected, unexpected, flaky, skipped } = found.stats;
    const failures = failedJourneys(found);
    const files = timedJourneys(found);
    return counted(outcome, { passed: expected, failed: unexpected + flaky, skipped, failures, files }, names);
  });
}

/** Failures without a failed test, such as a hanging process, are in vitest's last lines. */
const LAST_LINES = 150;

/** A skipped test counts as failed. With a name, one of the runners may match no file. */
function counted(outcome, found, names = []) {
  const output = stripVTControlCharacters(outcome.output);
  if (!found) return { succeeded: false, output };
  const { passed, failed, skipped, failures, files } = found;
  return {
    succeeded: outcome.succeeded && failed === 0 && skipped === 0 && (passed > 0 || names.length > 0),
    output: failures.length > 0 ? formatFailures(failures) : output.split('\n').slice(-LAST_LINES).join('\n'),
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
