/** The guards that `npm run faults` removes are quoted as text. A quote that no longer matches would remove nothing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guards } from '#tests/faults/guards/guards.ts';
import { races } from '#tests/faults/guards/races.ts';
import { repository } from './planted-tree.ts';

const textOf = (path: string) => readFile(join(repository, path), 'utf8');

const edits = [
  ...guards.flatMap(({ name, edits: removed }) => removed.map((edit) => ({ guard: name, ...edit }))),
  ...races.flatMap(({ between, edits: removed }) => removed.map((edit) => ({ guard: between, ...edit }))),
];

describe('a guard', () => {
  it.each(edits)('is found in the code: $guard, $file', async ({ file, find }) => {
    expect((await textOf(file)).split(find)).toHaveLength(2);
  });

  it.each(races)('has a test that holds the race open: $between', async ({ file, title }) => {
    expect(await textOf(file)).toContain(title);
  });
});
