/**
 * `npm run test:alone`: runs 40 random test files of both runners, each in its own run, to catch tests that depend on
 * another file's leftovers. `-- --files=10` changes the number, `-- --seed=7` repeats an earlier choice.
 */
import { createHash, randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from './browser.mjs';
import { runJourneys, runVitest } from './gates.mjs';
import { root, secondsSince } from './run.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
  },
});
const rank = (file) => createHash('sha256').update(`${values.seed} ${file}`).digest('hex');
const files = globSync(['{clients/typescript/src,src,tests,bench}/**/*.test.{ts,tsx}', 'tests/journeys/*.spec.ts'], {
  cwd: root,
})
  .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
  .slice(0, Number(values.files));

process.env.CHROMIUM_PATH ??= (await findBrowser()) ?? '';
console.log(`${files.length} test files, each on its own. Seed ${values.seed}.`);
const start = Date.now();
let failed = 0;
for (const file of files) {
  const fileStart = Date.now();
  const isJourney = file.endsWith('.spec.ts');
  const whole = path.join(root, file);
  const outcome = await (isJourney
    ? runJourneys([`${RegExp.escape(whole)}$`], values.seed)
    : runVitest([whole], values.seed));
  const hasPassed = outcome.succeeded && (outcome.tests?.passed ?? 0) > 0;
  console.log(
    `${hasPassed ? 'ok  ' : 'FAIL'} ${file} (${outcome.tests?.passed ?? 0} tests) ${secondsSince(fileStart)}`,
  );
  if (hasPassed) continue;
  failed += 1;
  console.log(`\n${outcome.output}\n`);
}
console.log(`\n${files.length - failed} passed, ${failed} failed in ${secondsSince(start)}`);
process.exit(failed === 0 && files.length > 0 ? 0 : 1);
