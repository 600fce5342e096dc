import { describe, expect, it } from 'vitest';
import { type Column, writeCsv, writeFields, writeJson, writeTable } from './formats.ts';
import type { Output } from './output.ts';

interface Guest {
  name: string | null;
  cents: number;
}

const columns: Column<Guest>[] = [
  { name: 'NAME', of: ({ name }) => name },
  { name: 'CENTS', of: ({ cents }) => cents },
];

async function written(write: (output: Output) => Promise<void>): Promise<string> {
  let all = '';
  await write({
    isTerminal: false,
    write: async (text) => void (all += text),
    note: () => {},
    progress: () => {},
    heading: (text) => text,
  });
  return all;
}

const table = (guests: Guest[]) => written((output) => writeTable(output, columns, guests));
const csv = (guests: Guest[]) => written((output) => writeCsv(output, columns, guests));

describe('A table', () => {
  it('is aligned, and leaves empty what is null', async () => {
    const guests = [
      { name: 'Sam', cents: 2400 },
      { name: null, cents: 5 },
    ];

    expect(await table(guests)).toBe('NAME  CENTS\nSam   2400\n      5\n');
  });

  it('keeps texts of buyers from controlling the terminal', async () => {
    expect(await table([{ name: '\u001b[2J\u202eSam\n', cents: 1 }])).toBe('NAME       CENTS\n [2J Sam   1\n');
  });

  it('starts to appear before a long list ends', async () => {
    const guests = Array.from({ length: 250 }, () => ({ name: 'Sam', cents: 1 }));

    expect((await table(guests)).match(/NAME/g)).toHaveLength(1);
    expect((await table(guests)).trim().split('\n')).toHaveLength(251);
  });
});

describe('The fields of one', () => {
  it('have the names of the API, with those of nested ones', async () => {
    const item = { id: 't1', venue: { city: 'Brooklyn' }, lines: [{ quantity: 2 }], scopes: ['events:read'], at: null };

    expect(await written((output) => writeFields(output, item))).toBe(
      'id                t1\nvenue.city        Brooklyn\nlines.1.quantity  2\nscopes.1          events:read\nat                \n',
    );
  });
});

describe('A CSV file', () => {
  it.each([
    ['a formula', '=1+1', `"'=1+1"`],
    ['a formula after spaces', ' +1', `"' +1"`],
    ['a formula after a semicolon', 'Sam; =1+1', `"Sam; '=1+1"`],
    ['quotes', 'Sam "Brass"', '"Sam ""Brass"""'],
    ['nothing', null, ''],
  ])('writes %s as text', async (_case, name, cell) => {
    expect(await csv([{ name, cents: 7 }])).toBe(`\uFEFF"NAME","CENTS"\r\n${cell},7\r\n`);
  });
});

describe('JSON', () => {
  it.each([[[]], [[1]], [[1, 2]]])('is an array of %o', async (items) => {
    expect(JSON.parse(await written((output) => writeJson(output, items)))).toEqual(items);
  });
});
