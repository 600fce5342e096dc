import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

const DERIVED = /\bderiveKey\([^,]+, (?:'([^']+)'|`([^`$]+)\$\{)/g;
/** Of `sign` and `isSigned`. */
const SIGNED = /^const (?:\w+_)?PURPOSE = '([^']+)';/gm;
const SEALED = /type SealPurpose = ([^;]+);/;

/** What keys are derived for. Of a purpose with a variable end, the beginning. */
async function purposes(): Promise<string[]> {
  const paths = (await filesOf(['src/server/**/*.ts'])).filter((path) => !path.endsWith('.test.ts'));
  const sources = await Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')));
  const derived = sources.flatMap((source) =>
    [...source.matchAll(DERIVED), ...source.matchAll(SIGNED)].map(([, whole, start]) => whole ?? start ?? ''),
  );
  const sealed = sources.flatMap((source) => [...(SEALED.exec(source)?.[1] ?? '').matchAll(/'([^']+)'/g)]);
  return [...new Set([...derived, ...sealed.map(([, purpose = '']) => purpose)])].sort();
}

const fits = (listed: string, purpose: string) =>
  purpose.endsWith(' ') ? listed.startsWith(purpose) : listed === purpose;

describe('The list of keys', () => {
  it('has every purpose that a key is derived for, and no other', async () => {
    const page = await readFile(join(repository, 'docs/security.md'), 'utf8');
    const table = page.split('\n\n').find((block) => block.startsWith('| derived for |')) ?? '';
    const purposesIn = (row: string) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
    const listed = table.split('\n').flatMap(purposesIn);

    const used = await purposes();
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((purpose) => !listed.some((one) => fits(one, purpose)))).toEqual([]);
    expect(listed.filter((one) => !used.some((purpose) => fits(one, purpose)))).toEqual([]);
  });
});
