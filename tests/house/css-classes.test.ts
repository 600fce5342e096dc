/** Types know no class of a style sheet, so a misspelled one would style nothing, silently. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

const STYLES = /^import (\w+) from '([^']+\.module\.css)';$/gm;
const IMPORT = /^import [^;]+;$/gm;
const NO_CLASSES = /\/\*.*?\*\/|"[^"]*"|:global\([^)]*\)|\burl\([^)]*\)/gs;
const read = (path: string) => readFile(join(repository, path), 'utf8');

/** Names that the text uses of an import; null if it computes some. */
function namesUsed(text: string, styles: string): string[] | null {
  if (new RegExp(`\\b${styles}\\[`).test(text)) return null;
  return [...text.matchAll(new RegExp(`\\b${styles}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);
}

it('The classes that components use are those of their style sheets', async () => {
  const used = new Map<string, Set<string> | null>();
  const missing: string[] = [];
  for (const path of await filesOf(['src/web/**/*.{ts,tsx}'])) {
    const text = await read(path);
    const code = text.replaceAll(IMPORT, '');
    for (const [, styles = '', from = ''] of text.matchAll(STYLES)) {
      const sheet = from.startsWith('#web/') ? from.replace('#web/', 'src/web/') : join(dirname(path), from);
      const names = namesUsed(code, styles);
      const before = used.get(sheet);
      used.set(sheet, names && before !== null ? new Set([...(before ?? []), ...names]) : null);
      const classes = await classesOf(sheet);
      missing.push(...(names ?? []).filter((name) => !classes.has(name)).map((name) => `${path}: ${name}`));
    }
  }
  expect(missing).toEqual([]);

  const unused: string[] = [];
  for (const [sheet, names] of used)
    for (const name of await classesOf(sheet)) if (names && !names.has(name)) unused.push(`${sheet}: ${name}`);
  expect(unused).toEqual([]);
});

async function classesOf(sheet: string): Promise<Set<string>> {
  const css = (await read(sheet)).replaceAll(NO_CLASSES, '');
  return new Set([...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name));
}
