/** A temporary copy of the repository in which a test violates rules for the gates to detect. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const repository = resolve(import.meta.dirname, '../..');

const COPIED = [
  'src',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  '.dependency-cruiser.mjs',
  '.oxlintrc.json',
];

export interface PlantedTree extends AsyncDisposable {
  readonly root: string;
  plant(path: string, source: string): Promise<void>;
}

export async function plantedTree(): Promise<PlantedTree> {
  const root = await mkdtemp(join(tmpdir(), 'handstamp-house-'));
  for (const path of COPIED) await cp(join(repository, path), join(root, path), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'));

  return {
    root,
    async plant(path, source) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), source);
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** Runs a command line tool of the repository. A failing gate is a result, not an error. */
export function runGate(root: string, tool: string, args: string[]): Promise<{ code: number; output: string }> {
  const command = join(repository, 'node_modules/.bin', tool);
  return new Promise((answer, fail) => {
    execFile(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') return fail(error);
      answer({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + (stdout ? '' : stderr) });
    });
  });
}
