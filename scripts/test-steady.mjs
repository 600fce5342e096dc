/**
 * `npm run test:steady`: runs every test ten times in different orders, the last two times next to two processes that
 * keep the CPU busy. `-- --runs=3 --busy=1` runs three times, one of them busy. Stops at the first failure.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { findBrowser } from './browser.mjs';
import { runGates, stages } from './gates.mjs';
import { secondsSince } from './run.mjs';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, busy: { type: 'string', default: '2' } },
});
const runs = Number(values.runs);
const quiet = runs - Number(values.busy);
const BUSY_PROCESSES = 2;
/** Without the gates about code, which no order changes. */
const testStages = stages.slice(1);

process.env.CHROMIUM_PATH ??= (await findBrowser()) ?? '';
const start = Date.now();
let passed = 0;
let failed = 0;
for (let run = 1; run <= runs && failed === 0; run++) {
  const runStart = Date.now();
  const isBusy = run > quiet;
  const busyProcesses = isBusy ? Array.from({ length: BUSY_PROCESSES }, keepBusy) : [];
  const seed = String(run);
  const outcomes = [];
  for (const stage of testStages) for await (const outcome of runGates(stage, [], seed)) outcomes.push(outcome);
  for (const busyProcess of busyProcesses) busyProcess.kill();
  const ofRun = { passed: 0, failed: 0 };
  for (const { succeeded, tests } of outcomes) {
    ofRun.passed += tests?.passed ?? 0;
    ofRun.failed += succeeded ? 0 : Math.max(1, tests?.failed ?? 0);
  }
  passed += ofRun.passed;
  failed += ofRun.failed;
  console.log(
    `${ofRun.failed === 0 ? 'ok  ' : 'FAIL'} run ${run}, seed ${seed}${isBusy ? ', busy' : ''}: ` +
      `${ofRun.passed} passed, ${ofRun.failed} failed in ${secondsSince(runStart)}`,
  );
  for (const { succeeded, output } of outcomes) if (!succeeded) console.log(`\n${output}\n`);
}
console.log(`\n${passed} passed, ${failed} failed in ${secondsSince(start)}`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function keepBusy() {
  return spawn(process.execPath, ['-e', 'for (;;) ;'], { stdio: 'ignore' });
}
