import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

const written = [
  ...(await readFile(join(repository, 'docs/requirements.md'), 'utf8')).matchAll(/^\| ([A-Z]+-\d+) \|/gm),
].map(([, id = '']) => id);
const areas = [...new Set(written.map((id) => id.split('-')[0] ?? ''))];

/** Areas whose ids follow a plan that is not built in order. */
const PLANNED = [
  'ACT',
  'ALERT',
  'API',
  'AUDIT',
  'AUTH',
  'BRAKE',
  'EMAIL',
  'LIFE',
  'LIST',
  'OPS',
  'OREF',
  'PAGE',
  'RES',
  'PLAN',
  'POLICY',
  'PRICE',
  'PROMO',
  'ROLE',
  'ROOM',
  'SESS',
  'STOCK',
  'TRUST',
  'WINDOW',
];

/** Title of a test, including rows of a table: `it('...'`, `it.each([...])('...'`. */
const TITLE = /\b(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const IDS = /\[((?:[A-Z]+-\d+(?: (?=[A-Z])|(?=\])))+)\]/g;

describe('The requirements', () => {
  it('are at least the 108 of the first version, numbered without gaps in each area', () => {
    const first = written.filter((id) => !PLANNED.includes(id.split('-')[0] ?? ''));
    const numbered = areas.flatMap((area) => {
      const rows = first.filter((id) => id.startsWith(`${area}-`));
      return rows.map((_, index) => `${area}-${index + 1}`);
    });

    expect(first.length).toBeGreaterThanOrEqual(108);
    expect(first).toEqual(numbered);
  });

  it('ascend in each area that was planned before it is built', () => {
    for (const area of PLANNED) {
      const numbers = written.filter((id) => id.startsWith(`${area}-`)).map((id) => Number(id.split('-')[1]));

      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    }
  });

  it('are each covered by a test that names them', async () => {
    const proved = await provedIds();

    expect(written.filter((id) => !proved.has(id))).toEqual([]);
  });

  it('are the only ids that tests name', async () => {
    const proved = await provedIds();

    expect([...proved].filter(([id]) => !written.includes(id))).toEqual([]);
  });

  it('are read from titles only', () => {
    const source = `
      // [NAV-1]
      it('opens [NAV-2]', () => expect('[NAV-3]'));
      it.each([['a', 1]] as const)("knows %s [NAV-4 NAV-5]", () => {});
      it.each(rows)('is a row of many [NAV-8]', () => {});
      test(\`is \${one} of many [NAV-6]\`, () => {});
      test.describe('all of [NAV-7]', () => {});`;

    expect(idsIn(source)).toEqual(['NAV-2', 'NAV-4', 'NAV-5', 'NAV-8', 'NAV-6']);
  });
});

/** The files whose tests name each id. */
async function provedIds(): Promise<Map<string, string[]>> {
  const proved = new Map<string, string[]>();
  for (const path of await filesOf(['src/**/*.test.{ts,tsx}', 'tests/**/*.{test,spec}.ts'])) {
    if (path === 'tests/house/requirements.test.ts') continue;
    for (const id of idsIn(await readFile(join(repository, path), 'utf8')))
      proved.set(id, [...(proved.get(id) ?? []), path]);
  }
  return proved;
}

function idsIn(source: string): string[] {
  const titles = [...source.matchAll(TITLE)].map(([, , title = '']) => title);
  return titles.flatMap((title) => [...title.matchAll(IDS)].flatMap(([, ids = '']) => ids.split(' ')));
}
