/** How items are written: as a table to read, as CSV for spreadsheets, as JSON for programs. */
import type { Output } from './output.ts';

export type Cell = string | number | null;

export interface Column<Item> {
  name: string;
  of: (item: Item) => Cell;
}

export type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** Rows of a table are aligned in groups, so that a long list starts to appear at once. */
const GROUP = 100;

export async function writeTable<Item>(output: Output, columns: readonly Column<Item>[], items: Items<Item>) {
  let widths = columns.map(({ name }) => name.length);
  let group: string[][] = [];
  let isFirst = true;
  const flush = async () => {
    widths = widths.map((width, index) => Math.max(width, ...group.map((cells) => cells[index]?.length ?? 0)));
    if (isFirst)
      await output.write(
        `${output.heading(
          aligned(
            columns.map(({ name }) => name),
            widths,
          ),
        )}\n`,
      );
    isFirst = false;
    for (const cells of group) await output.write(`${aligned(cells, widths)}\n`);
    group = [];
  };
  for await (const item of items) {
    group.push(columns.map(({ of }) => printable(of(item))));
    if (group.length === GROUP) await flush();
  }
  await flush();
}

const aligned = (cells: readonly string[], widths: readonly number[]) =>
  cells.map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ');

/** Without control characters and changes of direction, so that texts of buyers can't rule the terminal. */
export const printable = (cell: Cell) => String(cell ?? '').replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ');

/** Every field of one item, a line each. */
export async function writeFields(output: Output, item: object) {
  const fields = fieldsOf(item);
  const width = Math.max(...fields.map(([name]) => name.length));
  for (const [name, value] of fields)
    await output.write(`${output.heading(name.padEnd(width))}  ${printable(value)}\n`);
}

function fieldsOf(item: object, prefix = ''): [string, Cell][] {
  return Object.entries(item).flatMap(([name, value]: [string, unknown]): [string, Cell][] => {
    if (Array.isArray(value))
      return value.flatMap((one: unknown, index) => named(`${prefix}${name}.${index + 1}`, one));
    return named(`${prefix}${name}`, value);
  });
}

const named = (name: string, value: unknown): [string, Cell][] =>
  typeof value === 'object' && value !== null ? fieldsOf(value, `${name}.`) : [[name, value as Cell]];

/** An array, item by item. */
export async function writeJson(output: Output, items: Items<unknown>) {
  let separator = '[\n';
  for await (const item of items) {
    await output.write(`${separator}${JSON.stringify(item)}`);
    separator = ',\n';
  }
  await output.write(separator === '[\n' ? '[]\n' : '\n]\n');
}

/** Without it, Excel doesn't read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

export async function writeCsv<Item>(output: Output, columns: readonly Column<Item>[], items: Items<Item>) {
  await output.write(BYTE_ORDER_MARK + csvLine(columns.map(({ name }) => name)));
  for await (const item of items) await output.write(csvLine(columns.map(({ of }) => of(item))));
}

const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;

/** Spreadsheets run a cell that starts like this as a formula. An apostrophe makes it text. */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** Where semicolons separate cells, what follows one starts a cell. */
const FORMULA_AFTER_SEMICOLON = /(;[\s\0]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(FORMULA_AFTER_SEMICOLON, "$1'");
  return `"${text.replaceAll('"', '""')}"`;
}
