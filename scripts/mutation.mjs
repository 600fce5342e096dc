/**
 * `npm run mutation`: mutates the domain rules and runs the tests on each mutant (docs/testing.md). `--
 * src/domain/money.ts` limits it to one file. Fails if the tests kill fewer than 90 % of the mutants in `src/domain`.
 */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled } from './install.mjs';
import { giveUp, root, run, secondsSince, withPackages } from './run.mjs';

const REPORT = path.join(root, 'reports', 'mutation.json');
const DOMAIN_MIN_PERCENT = 90;
const KILLED = ['Killed', 'Timeout'];
const ALIVE = ['Survived', 'NoCoverage'];

const files = process.argv.slice(2);

await ensureInstalled();
const start = Date.now();
rmSync(REPORT, { force: true });
const narrowed = files.length > 0 ? ['--mutate', files.join(',')] : [];
const { succeeded } = await run('stryker', ['run', 'tests/mutation/stryker.config.mjs', ...narrowed], {
  show: true,
  env: withPackages(),
});
if (!succeeded) giveUp('Stryker did not finish. See its output above.');

const scores = Object.entries(JSON.parse(readFileSync(REPORT, 'utf8')).files).map(([file, { source, mutants }]) =>
  scoreOf(file, source.split('\n'), mutants),
);
const domain = scores.filter(({ file }) => file.startsWith('src/domain/'));

for (const { survivors } of scores) for (const survivor of survivors) console.log(survivor);
console.log('\n| file | mutants | killed | score |\n|---|---|---|---|');
for (const score of scores) console.log(row(score));
const [ofDomain, ofAll] = [total('src/domain', domain), total('all', scores)];
for (const score of [ofDomain, ofAll]) console.log(row(score));
console.log(`\n${ofAll.mutants} mutants, ${ofAll.mutants - ofAll.killed} survive, ${secondsSince(start)}`);

if (ofAll.mutants === 0) giveUp('No mutants: is the path right?');
if (files.length === 0 && percent(ofDomain) < DOMAIN_MIN_PERCENT)
  giveUp(`The tests kill less than ${DOMAIN_MIN_PERCENT} % of the mutants in src/domain.`);

function scoreOf(file, lines, mutants) {
  const killed = mutants.filter(({ status }) => KILLED.includes(status)).length;
  const alive = mutants.filter(({ status }) => ALIVE.includes(status));
  const survivors = alive.map(({ location: { start, end }, replacement }) => {
    const last = start.line === end.line ? end.column - 1 : undefined;
    return `${file}:${start.line}:${start.column} ${lines[start.line - 1].slice(start.column - 1, last)} -> ${replacement}`;
  });
  return { file, mutants: killed + alive.length, killed, survivors };
}

function total(file, parts) {
  const sum = (of) => parts.reduce((all, part) => all + part[of], 0);
  return { file, mutants: sum('mutants'), killed: sum('killed') };
}

function row(score) {
  return `| ${score.file} | ${score.mutants} | ${score.killed} | ${percent(score).toFixed(1)} % |`;
}

function percent({ mutants, killed }) {
  return mutants === 0 ? 100 : (100 * killed) / mutants;
}
