import { glob } from 'node:fs/promises';
import { sep } from 'node:path';
import { repository } from './planted-tree.ts';

const NOT_OURS = ['node_modules', 'dist', '.data', '.git', 'test-results', 'playwright-report', 'screenshots'];

/** Files of the repository that match, by paths with `/`, in order. */
export async function filesOf(patterns: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(patterns, { cwd: repository, exclude: NOT_OURS })) {
    // The folder list only prunes; what a pattern names by itself is judged here.
    const parts = path.split(sep);
    if (!parts.some((part) => NOT_OURS.includes(part))) found.push(parts.join('/'));
  }
  return found.sort();
}
