/** Formats the results for people. */
import type { Options } from './benchmark.ts';
import type { ResultRow } from './run-rounds.ts';

const COLUMNS = [24, 12, 18, 10, 20, 7] as const;

export function headOf({ rounds, seconds }: Options): string {
  const head = cells(['benchmark', 'median', 'min .. max', 'target', 'measured', 'exact'], 'against');
  return `${rounds} rounds, ${seconds} s each\n\n${head}\n${'-'.repeat(head.length + 24)}`;
}

export function rowOf(row: ResultRow, smoke: boolean): string {
  const target = `${row.bound === 'at least' ? '>=' : '<='} ${row.target}`;
  const mark = smoke || row.met ? '' : ' (missed)';
  return cells(
    [
      row.name,
      `${short(row.ratio)}`,
      `${short(row.min)} .. ${short(row.max)}`,
      target,
      `${short(row.value)} ${row.unit}`,
      row.exact ? 'yes' : 'NO',
    ],
    `${row.baseline}${mark}`,
  );
}

/** The same as Markdown, for a document. */
export const MARKDOWN_HEAD =
  '| benchmark | median | min .. max | target | measured | against |\n|---|---|---|---|---|---|';

export function markdownOf(row: ResultRow): string {
  const target = `${row.bound === 'at least' ? '>=' : '<='} ${row.target}`;
  const median = row.met ? short(row.ratio) : `**${short(row.ratio)}**`;
  const spread = `${short(row.min)} .. ${short(row.max)}`;
  return `| ${row.name} | ${median} | ${spread} | ${target} | ${short(row.value)} ${row.unit} | ${row.baseline} |`;
}

export function missed(rows: readonly ResultRow[]): string[] {
  return rows
    .filter((row) => !row.met)
    .map((row) => `Missed: ${row.name} is ${short(row.ratio)}, the target is ${row.bound} ${row.target}.`);
}

const cells = (columns: readonly string[], last: string) =>
  [...columns.map((text, column) => text.padEnd(COLUMNS[column] ?? 0)), last].join(' ');

/** Three significant digits; integers from 100 up. */
function short(number: number): string {
  if (!Number.isFinite(number)) return String(number);
  return Math.abs(number) >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}
