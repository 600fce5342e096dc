/**
 * `npm run check`: runs every gate and names the red ones last. The tests and the journeys take minutes, so they start only if every
 * gate before them is green.
 *
 * `npm run check -- --only=types,lint` runs the named gates. A name, as in `npm test -- refund`, runs only the test
 * files with that name in their path; with a name, `--only=tests` skips the journeys. `--seed=7` repeats the test order
 * of an earlier run. The last line counts the tests, and each gate as one more.
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { findBrowser } from './browser.mjs';
import { runGates, stages } from './gates.mjs';
import { giveUp, root, secondsSince } from './run.mjs';
import { formatSlowest } from './slowest.mjs';

if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url)))
  giveUp(`Run npm ci in ${root} first, or npm test, which installs by itself.`);

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const valueOf = (option) => options.find((one) => one.startsWith(`${option}=`))?.slice(option.length + 1);
const unknownOption = options.find((option) => !/^--(?:only|seed)=/.test(option));
if (unknownOption) giveUp(`There is no option ${unknownOption}. Use --only=GATE,GATE or --seed=N.`);

const [code, ...later] = stages.map((stage) => stage.map(({ name }) => name));
const runners = later.flat().filter((name) => name !== 'load');
const gates = stages.flat().map(({ name }) => name);
const only = valueOf('--only')?.split(',') ?? (names.length > 0 ? runners : gates);
const seed = valueOf('--seed') ?? String(randomInt(1_000_000));
const unknown = only.filter((name) => !gates.includes(name));
if (unknown.length > 0) giveUp(`Unknown gate: ${unknown.join(', ')}. Gates: ${gates.join(', ')}.`);
if (names.length > 0 && !only.every((name) => runners.includes(name)))
  giveUp(`${names.join(', ')} selects test files, so --only can be tests or journeys.`);

process.env.CHROMIUM_PATH ??= (await findBrowser()) ?? '';

const start = Date.now();
let passed = 0;
let failed = 0;
const red = [];
const notRun = [];
const files = [];
for (const stage of stages) {
  const chosen = stage.filter(({ name }) => only.includes(name));
  if (red.some((name) => code.includes(name))) {
    notRun.push(...chosen.map(({ name }) => name));
    continue;
  }
  for await (const { gate, succeeded, output, tests, files: timed = [], took } of runGates(chosen, names, seed)) {
    passed += (tests?.passed ?? 0) + (succeeded ? 1 : 0);
    failed += (tests?.failed ?? 0) + (succeeded ? 0 : 1);
    files.push(...timed);
    const count = tests ? `, ${tests.passed + tests.failed} tests, seed ${seed}` : '';
    console.log(`${succeeded ? 'ok  ' : 'FAIL'} ${gate.name} (${gate.title}${count}) ${took}`);
    if (succeeded) continue;
    red.push(gate.name);
    console.log(`\n${output}\n`);
  }
}
if (names.length > 0 && failed === 0 && files.length === 0)
  giveUp(`No test file has ${names.join(' or ')} in its path.`);
if (failed === 0 && files.length > 0) console.log(`\n${formatSlowest(files)}\n`);
const named = red.length > 0 ? `: ${red.join(', ')}` : '';
const leftOut = notRun.length > 0 ? `; not run: ${notRun.join(', ')}` : '';
console.log(`${passed} passed, ${failed} failed in ${secondsSince(start)}${named}${leftOut}`);
// Once the output is written: an exit cuts off what a slow reader of a pipe hasn't taken yet.
process.stdout.write('', () => process.exit(failed === 0 && passed > 0 ? 0 : 1));
