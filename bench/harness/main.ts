/** `npm run bench`: see bench/README.md. */
import { parseArgs } from 'node:util';
import { startPostgres, teardown } from '#tests/support/test-database.ts';
import { findPgbench } from './pgbench.ts';
import { profileReport, startProfiling } from './profile.ts';
import { headOf, MARKDOWN_HEAD, markdownOf, missed, rowOf } from './report.ts';
import { benchmarkNames, runBenchmark } from './run-benchmark.ts';
import type { ResultRow } from './run-rounds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
});
const { smoke, json, markdown } = values;
const options = {
  smoke,
  rounds: Number(values.rounds ?? (smoke ? 1 : 5)),
  seconds: Number(values.seconds ?? (smoke ? 0.3 : 2)),
};
const print = (text: string) => process.stdout.write(`${text}\n`);
/** Keeps standard output for results with `--json`. */
const printError = (text: string) => process.stderr.write(`${text}\n`);

const unknown = positionals.filter((name) => !benchmarkNames.includes(name));
if (unknown.length > 0 || !(options.rounds > 0) || !(options.seconds > 0)) {
  printError(
    `${unknown.length > 0 ? `Unknown benchmark: ${unknown.join(', ')}` : '--rounds and --seconds must be positive'}. Benchmarks: ${benchmarkNames.join(', ')}.`,
  );
  process.exit(1);
}

if (!findPgbench())
  printError('pgbench is not installed (Debian: postgresql-contrib): single statements are sent from Node.');
const profiles = values.profile ? startProfiling() : null;
await startPostgres({ durable: !smoke });
const rows: ResultRow[] = [];
const wrong: string[] = [];
try {
  if (markdown) print(MARKDOWN_HEAD);
  else if (!json) print(headOf(options));
  for (const name of positionals.length > 0 ? positionals : benchmarkNames) await run(name);
} finally {
  await teardown();
}
for (const message of wrong) printError(`WRONG ${message}`);
if (!smoke) for (const message of missed(rows)) printError(message);
for (const row of profiles ? profileReport(profiles) : []) printError(row);
process.exitCode = wrong.length > 0 ? 1 : 0;

function written(row: ResultRow): string {
  if (json) return JSON.stringify(row);
  return markdown ? markdownOf(row) : rowOf(row, smoke);
}

/** A failing benchmark does not stop the others. */
async function run(name: string): Promise<void> {
  try {
    const outcome = await runBenchmark(name, options);
    rows.push(...outcome.rows);
    wrong.push(...outcome.wrong);
    for (const row of outcome.rows) print(written(row));
  } catch (error) {
    wrong.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
