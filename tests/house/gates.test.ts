import { execFile } from 'node:child_process';
import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PlantedTree, plantedTree, repository } from './planted-tree.ts';

const config = (test: string) => `import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { ${test} } });`;

const BROKEN = `import { afterAll, beforeAll, describe, expect, it } from 'vitest';
it('compares', () => expect([{ sentence: 'nine tickets too many', place: 'in the middle of the hall' }]).toEqual([]));
it('asks', () => { throw new Error('no answer', { cause: new Error('the line is dead') }); });
it('says much', () => { throw new Error(Array.from({ length: 99 }, (_, line) => 'line ' + line).join('\\n')); });
describe('a stage', () => { beforeAll(() => { throw new Error('it was not set'); }); it('is played on', () => {}); });
describe('another', () => { afterAll(() => { throw new Error('it was not cleared'); }); it('is played on', () => {}); });`;

const FILE_HOOK = `import { beforeAll, it } from 'vitest';
beforeAll(() => { throw new Error('no database'); });
it('is never begun', () => {});`;

const NOT_READABLE = `import { it } from 'vitest';
import './missing.ts';
it('is never begun', () => {});`;

const UNHANDLED = `import { it } from 'vitest';
it('passes', async () => {
  void Promise.reject(new Error('nobody caught it'));
  await new Promise((resolve) => setTimeout(resolve, 20));
});`;

const JOURNEYS = `import { expect, test } from '@playwright/test';
test.describe('A trip', () => {
  test('arrives', () => expect(['Rome']).toEqual(['Athens']));
  test.skip('returns', () => {});
});
test('passes', () => {});`;

const RETRYING_JOURNEY = `import { test } from '@playwright/test';
test('retries', { tag: '@module-retry' }, () => {});
test('passes', () => {});`;

const PASSING = `import { it } from 'vitest';
it('passes', () => {});`;

const SLOW = `import { it } from 'vitest';
it('takes its time', () => new Promise((resolve) => setTimeout(resolve, 1500)));`;

const PASSING_JOURNEY = `import { test } from '@playwright/test';
test('passes', () => {});`;

const JOURNEYS_CONFIG = `import { defineConfig } from '@playwright/test';
export default defineConfig({ testDir: 'journeys', workers: 1, reporter: 'list' });`;

/** Each test starts the runner under test. */
vi.setConfig({ testTimeout: 120_000 });

let tree: PlantedTree;
beforeAll(async () => {
  tree = await plantedTree();
  await cp(join(repository, 'scripts'), join(tree.root, 'scripts'), { recursive: true });
  await tree.plant('playwright.config.ts', JOURNEYS_CONFIG);
});
afterAll(() => tree[Symbol.asyncDispose]());

/** Output of `npm run check` for some gates. */
const check = async (...gates: string[]) => (await run(gates)).stdout;

/** With `FORCE_COLOR`, because programs may detect a CI log as a terminal. */
function run(options: string[], browser = '/nowhere'): Promise<{ stdout: string; stderr: string }> {
  // Keeps this run's settings for its own workers out of the child.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|HANDSTAMP|TEST$|NODE_ENV$)/.test(name));
  const env = { ...Object.fromEntries(inherited), CHROMIUM_PATH: browser, FORCE_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/check.mjs', ...options], { cwd: tree.root, env }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}

describe('The gates before the tests', () => {
  it('all run, are named at the end where they fail, and keep the tests from starting', async () => {
    await tree.plant('src/domain/crooked-and-unused.ts', "export const   crooked = 'unused'");

    const output = await check('--only=format,unused,tests');

    expect(output).toMatch(/^FAIL format [^]*^FAIL unused /m);
    expect(output).not.toMatch(/^\S+ +tests /m);
    expect(output).toMatch(/\n0 passed, 2 failed in \S+ s: format, unused; not run: tests\n$/);
  });
});

describe('The tests gate', () => {
  it('prints each failed test and its reason, and nothing else', async () => {
    await tree.plant('vitest.config.ts', config("include: ['planted/*.test.ts']"));
    await tree.plant('planted/broken.test.ts', BROKEN);
    await tree.plant('planted/file-hook.test.ts', FILE_HOOK);
    await tree.plant('planted/not-readable.test.ts', NOT_READABLE);

    const [summary, heading, ...failures] = (await check('--only=tests')).split(/\n{2,}(?=\S)/);

    expect(summary).toMatch(/^FAIL tests \(.*, 6 tests, seed \d+\)/);
    expect(heading).toBe('Not passed:');
    expect(failures).toEqual([
      expect.stringMatching(
        /^planted\/broken.test.ts > a stage\n {4}Error: it was not set\n {4}at planted.broken.test.ts:5$/,
      ),
      expect.stringMatching(/^planted\/broken.test.ts > another\n {4}Error: it was not cleared\n/),
      expect.stringMatching(/^planted\/broken.test.ts > compares\n {4}AssertionError: [^]*\+ .*nine tickets too many/),
      expect.stringMatching(/^planted\/broken.test.ts > asks\n {4}Error: no answer\n {4}.*Error: the line is dead\n/),
      expect.stringMatching(
        /^planted\/broken.test.ts > says much\n {4}Error: line 0\n(.*\n){19} {4}\.\.\. 70 more lines[^]*line 98\n.*:4$/,
      ),
      expect.stringMatching(/^planted\/file-hook.test.ts\n {4}Error: no database\n/),
      expect.stringMatching(/^planted\/not-readable.test.ts\n {4}Error: .*\.\/missing.ts/),
      'planted/broken.test.ts > a stage > is played on\n    It was skipped.',
      'planted/file-hook.test.ts > is never begun\n    It was skipped.',
      expect.stringMatching(/^1 passed, 6 failed in /),
    ]);
  });

  it('prints an error outside any test, even if every test passed', async () => {
    await tree.plant('vitest.config.ts', config("include: ['unhandled/*.test.ts']"));
    await tree.plant('unhandled/one.test.ts', UNHANDLED);

    const output = await check('--only=tests');

    expect(output).toMatch(/^FAIL tests/);
    expect(output).toContain(
      '\nUnhandled Rejection, outside of any test\n    Error: nobody caught it\n    at unhandled/',
    );
  });

  it('prints the output of a run that reached no test', async () => {
    await tree.plant('vitest.config.ts', config("include: ['unhandled/*.test.ts'], globalSetup: ['set-up.ts']"));
    await tree.plant('set-up.ts', "export function setup() { throw new Error('the set-up failed'); }");

    const output = await check('--only=tests');

    expect(output).toMatch(/^FAIL tests/);
    expect(output).toContain('the set-up failed');
    expect(output).toBe(stripVTControlCharacters(output));
    expect(output).not.toContain('Not passed');
  });
});

describe('The journeys gate', () => {
  it('prints each failed journey and its reason, and nothing else', async () => {
    await tree.plant('journeys/trip.spec.ts', JOURNEYS);

    const output = await check('--only=journeys');

    expect(output).toMatch(
      /^FAIL journeys .*, 3 tests.*\n\nNot passed:\n\ntrip.spec.ts:3 > A trip > arrives\n {4}Error: expect[^]*\+ {3}"Rome"/,
    );
    expect(output).toMatch(
      /\n\ntrip.spec.ts:4 > A trip > returns\n {4}It was skipped\.\n\n1 passed, 3 failed in .*\n$/,
    );
  });

  it.each([
    [155, 1],
    [156, 2],
  ])('runs, in Chromium %i, %i of two journeys, one of which needs version 156', async (version, count) => {
    await tree.plant('journeys/retry.spec.ts', RETRYING_JOURNEY);
    const browser = join(tree.root, 'chromium');
    await tree.plant('chromium', `#!/bin/sh\necho "Chromium ${version}.0.1.2"\n`);
    await chmod(browser, 0o755);

    const { stdout } = await run(['retry', '--only=journeys'], browser);

    expect(stdout).toMatch(new RegExp(`^ok {3}journeys \\(.*, ${count} tests`, 'm'));
    expect(stdout.includes('@module-retry')).toBe(count === 1);
  });
});

describe('A name on the command line', () => {
  it('selects the test files with it in their path, in both runners, and lists slow ones', async () => {
    await tree.plant('vitest.config.ts', config("include: ['named/*.test.ts']"));
    await tree.plant('named/refund.test.ts', SLOW);
    await tree.plant('named/payout.test.ts', PASSING);
    await tree.plant('journeys/refund-form.spec.ts', PASSING_JOURNEY);
    await tree.plant('journeys/scanner.spec.ts', PASSING_JOURNEY);

    const output = await check('refund');

    expect(output).toMatch(/^ok {3}tests \(.*, 1 tests, seed \d+\).*\nok {3}journeys \(.*, 1 tests, seed \d+\)/);
    expect(output).toMatch(
      /\nSlowest files, of 2 \(set-up takes \d+% of \d+ s over all workers\):\n {5}\d\.\d s {2}named\/refund/,
    );
    expect(output).not.toContain('scanner');
    expect(output).toMatch(/\n4 passed, 0 failed in .*\n$/);
  });

  it('runs one runner where only that is requested', async () => {
    await tree.plant('vitest.config.ts', config("include: ['named/*.test.ts']"));
    await tree.plant('named/refund.test.ts', PASSING);
    await tree.plant('journeys/refund-form.spec.ts', PASSING_JOURNEY);

    const output = await check('refund', '--only=tests');

    expect(output).toContain('ok   tests');
    expect(output).not.toContain('journeys');
  });

  it.each([
    ['has no meaning for a gate without tests', ['refund', '--only=lint'], '--only can be tests or journeys'],
    ['does not select a gate', ['--only', 'lint'], 'There is no option --only'],
  ])('%s', async (_case, options, problem) => {
    const { stdout, stderr } = await run(options);

    expect(stderr).toContain(problem);
    expect(stdout).toBe('');
  });

  it('that matches no test file fails without running anything', async () => {
    await tree.plant('vitest.config.ts', config("include: ['named/*.test.ts']"));

    expect(await check('nowhere')).not.toContain('0 failed');
  });
});
