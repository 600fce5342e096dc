/** The figures as a person reads them. */
import type { Options } from './benchmark.ts';
import type { Line } from './run-rounds.ts';

const COLUMNS = [24, 12, 18, 10, 20, 7] as const;

export function headOf({ rounds, seconds }: Options): string {
  const head = cells(['benchmark', 'median', 'min .. max', 'target', 'measured', 'exact'], 'against');
  return `${rounds} rounds, ${seconds} s each\n\n${head}\n${'-'.repeat(head.length + 24)}`;
}

export function rowOf(line: Line, smoke: boolean): string {
  const target = `${line.bound === 'at least' ? '>=' : '<='} ${line.target}`;
  const mark = smoke || line.met ? '' : ' (missed)';
  return cells(
    [
      line.name,
      `${short(line.ratio)}`,
      `${short(line.min)} .. ${short(line.max)}`,
      target,
      `${short(line.value)} ${line.unit}`,
      line.exact ? 'yes' : 'NO',
    ],
    `${line.baseline}${mark}`,
  );
}

/** The same for a document. */
export const MARKDOWN_HEAD =
  '| benchmark | median | min .. max | target | measured | against |\n|---|---|---|---|---|---|';

export function markdownOf(line: Line): string {
  const target = `${line.bound === 'at least' ? '>=' : '<='} ${line.target}`;
  const median = line.met ? short(line.ratio) : `**${short(line.ratio)}**`;
  const spread = `${short(line.min)} .. ${short(line.max)}`;
  return `| ${line.name} | ${median} | ${spread} | ${target} | ${short(line.value)} ${line.unit} | ${line.baseline} |`;
}

export function missed(lines: readonly Line[]): string[] {
  return lines
    .filter((line) => !line.met)
    .map((line) => `Missed: ${line.name} is ${short(line.ratio)}, the target is ${line.bound} ${line.target}.`);
}

const cells = (columns: readonly string[], last: string) =>
  [...columns.map((text, place) => text.padEnd(COLUMNS[place] ?? 0)), last].join(' ');

/** Three digits that matter; thousands in full. */
function short(number: number): string {
  if (!Number.isFinite(number)) return String(number);
  return Math.abs(number) >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}
