import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

const CASES = 50;

/** Title of a test, including `it.each`. */
const TITLE = /\bit(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const NUMBER = /^case (\d+): \S/;

describe('The money cases', () => {
  it('are 50, each covered by a test whose title starts with its number', async () => {
    const proved = new Set<number>();
    for (const path of await filesOf(['tests/money/*.test.ts']))
      for (const number of casesIn(await readFile(join(repository, path), 'utf8'))) proved.add(number);

    const wanted = Array.from({ length: CASES }, (_, index) => index + 1);
    expect([...proved].sort((a, b) => a - b)).toEqual(wanted);
  });

  it('are read from titles of tests that run', () => {
    const source = `
      // it('case 1: in a comment of its own line')
      it('case 2: stands', () => expect('case 3: not'));
      it.each([['a', 1]] as const)("case 4: of %s", () => {});
      it.skip('case 5: is skipped', () => {});
      it('shows case 6: later', () => {});`;

    expect(casesIn(source)).toEqual([2, 4]);
  });
});

function casesIn(source: string): number[] {
  const code = source.replaceAll(/^\s*\/\/.*$/gm, '');
  const titles = [...code.matchAll(TITLE)].map(([, , title = '']) => title);
  return titles.flatMap((title) => (NUMBER.exec(title)?.[1] ? [Number(NUMBER.exec(title)?.[1])] : []));
}
