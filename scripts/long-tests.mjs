/** Runs tests that take minutes, with their own configuration of vitest, and exits with their counts as the last line. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from './install.mjs';
import { giveUp, run, secondsSince, withPackages } from './run.mjs';
import { buildWeb } from './web-build.mjs';

/**
 * Reads the command line: `--name=value` for each of these names.
 * @param {Record<string, string>} defaults
 */
export function readOptions(defaults) {
  const given = Object.fromEntries(process.argv.slice(2).map((argument) => argument.replace(/^--/, '').split('=')));
  const unknown = Object.keys(given).filter((name) => !(name in defaults));
  if (unknown.length > 0)
    giveUp(`Unknown option: ${unknown.join(', ')}. Options: --${Object.keys(defaults).join(', --')}.`);
  return { ...defaults, ...given };
}

/**
 * @param {{ config: string, part?: string, env: Record<string, string>, title: string }} options
 * `part`: only files whose name contains this
 */
export async function runLongTests({ config, part, env, title }) {
  await ensureInstalled();
  // The tested server is the real one, which needs its built pages to start.
  const built = await buildWeb();
  if (!built.succeeded) giveUp(built.output);
  const start = Date.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-long-tests-'));
  const report = path.join(folder, 'report.json');
  console.log(title);
  await run(
    'vitest',
    ['run', `--config=${config}`, '--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`].concat(
      part || [],
    ),
    { show: true, env: withPackages(env) },
  );
  const { passed, failed } = countsOf(report);
  rmSync(folder, { recursive: true, force: true });
  console.log(`${title}, ${secondsSince(start)}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

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
