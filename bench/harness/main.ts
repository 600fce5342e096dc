/** `npm run bench`: see bench/README.md. */
import { parseArgs } from 'node:util';
import { startPostgres, teardown } from '#tests/support/test-database.ts';
import { findPgbench } from './pgbench.ts';
import { profileReport, startProfiling } from './profile.ts';
import { headOf, MARKDOWN_HEAD, markdownOf, missed, rowOf } from './report.ts';
import { benchmarkNames, runBenchmark } from './run-benchmark.ts';
import type { Line } from './run-rounds.ts';

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
const say = (line: string) => process.stdout.write(`${line}\n`);
/** With `--json`, standard output is for the figures alone. */
const mention = (line: string) => process.stderr.write(`${line}\n`);

const unknown = positionals.filter((name) => !benchmarkNames.includes(name));
if (unknown.length > 0 || !(options.rounds > 0) || !(options.seconds > 0)) {
  mention(`There is no ${unknown.join(', ') || 'such number'}. The benchmarks are: ${benchmarkNames.join(', ')}.`);
  process.exit(1);
}

if (!findPgbench())
  mention('pgbench is not installed (Debian: postgresql-contrib): plain statements are sent from Node.');
const profiles = values.profile ? startProfiling() : null;
await startPostgres({ durable: !smoke });
const lines: Line[] = [];
const wrong: string[] = [];
try {
  if (markdown) say(MARKDOWN_HEAD);
  else if (!json) say(headOf(options));
  for (const name of positionals.length > 0 ? positionals : benchmarkNames) await run(name);
} finally {
  await teardown();
}
for (const sentence of wrong) mention(`WRONG ${sentence}`);
if (!smoke) for (const sentence of missed(lines)) mention(sentence);
for (const line of profiles ? profileReport(profiles) : []) mention(line);
process.exitCode = wrong.length > 0 ? 1 : 0;

function written(line: Line): string {
  if (json) return JSON.stringify(line);
  return markdown ? markdownOf(line) : rowOf(line, smoke);
}

/** One that breaks is no reason to keep the others waiting. */
async function run(name: string): Promise<void> {
  try {
    const outcome = await runBenchmark(name, options);
    lines.push(...outcome.lines);
    wrong.push(...outcome.wrong);
    for (const line of outcome.lines) say(written(line));
  } catch (error) {
    wrong.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
