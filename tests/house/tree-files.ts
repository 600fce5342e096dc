import { glob } from 'node:fs/promises';
import { sep } from 'node:path';
import { repository } from './planted-tree.ts';

const NOT_OURS = ['node_modules', 'dist', '.data', '.git', 'test-results', 'playwright-report', 'screenshots'];

/** Sorted paths of matching files, with `/` as separator. */
export async function filesOf(patterns: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(patterns, { cwd: repository, exclude: NOT_OURS })) {
    // `exclude` only prunes directories; paths that a pattern matches directly are filtered here.
    const parts = path.split(sep);
    if (!parts.some((part) => NOT_OURS.includes(part))) found.push(parts.join('/'));
  }
  return found.sort();
}
