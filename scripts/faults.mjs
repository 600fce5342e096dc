/**
 * `npm run faults`: fails every outgoing call, kills the server at every step, runs thousands of random histories and
 * checks the books after each, and runs two servers against machine faults.
 *
 * Narrow it down with `-- --histories=N --seeds=N --seed=N --only=0,7 --fault='a server is killed' --part=histories`
 * (docs/faults.md).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from './install.mjs';
import { giveUp, run, secondsSince, withPackages } from './run.mjs';
import { buildWeb } from './web-build.mjs';

const OPTIONS = { histories: '2000', seeds: '20', seed: '20261121', only: '', fault: '', part: '' };

const given = Object.fromEntries(process.argv.slice(2).map((argument) => argument.replace(/^--/, '').split('=')));
const unknown = Object.keys(given).filter((name) => !(name in OPTIONS));
if (unknown.length > 0)
  giveUp(`Unknown option: ${unknown.join(', ')}. Options: --${Object.keys(OPTIONS).join(', --')}.`);
const { histories, seeds, seed, only, fault, part } = { ...OPTIONS, ...given };

await ensureInstalled();
// The killed server is the real one, which needs its built pages to start.
const built = await buildWeb();
if (!built.succeeded) giveUp(built.output);
const start = Date.now();
const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-faults-'));
const report = path.join(folder, 'report.json');
console.log(`seed ${seed}, ${histories} histories, ${seeds} seeds of two servers`);
await run(
  'vitest',
  [
    'run',
    '--config=tests/faults/vitest.faults.config.ts',
    '--reporter=verbose',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ].concat(part || []),
  {
    show: true,
    env: withPackages({
      FAULTS_HISTORIES: histories,
      FAULTS_SEEDS: seeds,
      FAULTS_SEED: seed,
      FAULTS_ONLY: only,
      FAULTS_FAULT: fault,
    }),
  },
);
const { passed, failed } = countsOf(report);
rmSync(folder, { recursive: true, force: true });
console.log(`seed ${seed}, ${secondsSince(start)}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** A part that was skipped or failed to load counts as failed. */
function countsOf(file) {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8'));
    const broken = found.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const skipped = found.numPendingTests + found.numTodoTests;
    return { passed: found.numPassedTests, failed: found.numFailedTests + skipped + broken.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
