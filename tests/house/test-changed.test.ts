import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PlantedTree, plantedTree, repository } from './planted-tree.ts';

const CONFIG = `import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: ['src/planted/*.test.ts'] } });`;

const RULE = 'export const mayEnter = (age: number): boolean => age >= 18;\n';

const TEST = `import { expect, it } from 'vitest';
import { mayEnter } from './rule.ts';
it('lets in who is 18', () => expect(mayEnter(18)).toBe(true));`;

/** Starts vitest. */
vi.setConfig({ testTimeout: 60_000 });

let tree: PlantedTree;
beforeAll(async () => {
  tree = await plantedTree();
  await cp(join(repository, 'scripts'), join(tree.root, 'scripts'), { recursive: true });
  await tree.plant('.gitignore', 'node_modules\n');
  await tree.plant('vitest.config.ts', CONFIG);
  await tree.plant('src/planted/rule.ts', RULE);
  await tree.plant('src/planted/rule.test.ts', TEST);
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: tree.root });
  await git('init', '--quiet');
  await git('add', '.');
  await git('-c', 'user.name=Planter', '-c', 'user.email=planter@example.com', 'commit', '--quiet', '-m', 'Plant');
});
afterAll(() => tree[Symbol.asyncDispose]());

function testChanged(): Promise<{ code: number; output: string }> {
  // Keeps this run's settings for its own workers, and a git hook's variables, out of the child.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|HANDSTAMP|GIT_|TEST$|NODE_ENV$)/.test(name),
  );
  const options = { cwd: tree.root, env: Object.fromEntries(inherited) };
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/test-changed.mjs'], options, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout }),
    );
  });
}

describe('npm run test:changed', () => {
  it('says so when nothing has changed', async () => {
    expect(await testChanged()).toEqual({
      code: 0,
      output: expect.stringMatching(/^Nothing is changed\.\n\n0 passed, 0 failed in \d+\.\d s\n$/),
    });
  });

  it('fails when a rule is violated, and prints why', async () => {
    await tree.plant('src/planted/rule.ts', RULE.replace('>=', '>'));

    const { code, output } = await testChanged();

    expect(code).toBe(1);
    expect(output).toMatch(/^Changed: src\/planted\/rule\.ts\nTest files reached: 1\nFAIL src\/planted\/rule/);
    expect(output).toContain('rule.test.ts > lets in who is 18');
    expect(output).toMatch(/\n0 passed, 1 failed in \d+\.\d s\n$/);
  });

  it('fails when a selected test was not run', async () => {
    await tree.plant('src/planted/rule.ts', RULE.replace('>= 18', '> 17'));
    await tree.plant('src/unlisted/rule.test.ts', TEST.replace('./', '../planted/'));
    await tree.plant('src/unlisted/other.test.ts', TEST.replace('./', '../planted/'));

    const { code, output } = await testChanged();

    expect(code).toBe(1);
    expect(output).toContain('Not run by vitest: src/unlisted/rule.test.ts, src/unlisted/other.test.ts');
    expect(output).toMatch(/\n1 passed, 1 failed in /);
  });
});
