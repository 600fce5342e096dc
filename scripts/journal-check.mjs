/**
 * `npm run journal:check -- FILE`: recomputes what the footer of an event's journal says and names the first difference. It needs no
 * installation and no other file, so that an accountant can run it alone: `node journal-check.mjs FILE`.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const COLUMNS = {
  record: 'Record',
  at: 'Date (UTC)',
  account: 'Account',
  debit: 'Debit in US dollars',
  credit: 'Credit in US dollars',
  transaction: 'Transaction',
  value: 'Value',
};
const CELL = /"((?:[^"]|"")*)"(,|\r\n)/y;
const AMOUNT = /^\d+\.\d{2}$/;

class Difference extends Error {}

const [file, ...more] = process.argv.slice(2);
if (!file || more.length > 0) fail('Usage: npm run journal:check -- FILE');
try {
  console.log(`matches: ${check(read(file))}`);
} catch (error) {
  if (!(error instanceof Difference)) throw error;
  fail(`differs: ${error.message}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function read(name) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(name));
  } catch (error) {
    return fail(`Can't read ${name}: ${error.message}`);
  }
}

function check(text) {
  if (!text.startsWith('\uFEFF')) throw new Difference('the file does not start as it was downloaded');
  const { lines, rowsText, footer } = parse(text);
  const rows = lines.slice(0, lines.length - footer.length);
  const sums = sumsOf(rows);
  checkFooter(footer, { sums, rows: rows.length, rowsText, text });
  const { debit, credit } = totalOf(sums);
  if (debit !== credit) throw new Difference(`debits are ${dollars(debit)}, credits are ${dollars(credit)}`);
  const compared = footer.find(({ record }) => record === 'compared with Stripe up to');
  const open = footer.filter(({ record }) => record === 'not compared').length;
  return `${rows.length} rows, debits and credits of ${dollars(debit)}; compared with Stripe up to ${compared?.at || '(never)'}, ${open} not compared`;
}

/** Every line with its number and where it starts; `footer` begins after the last entry. */
function parse(text) {
  const lines = [];
  CELL.lastIndex = 1;
  let heading = null;
  for (let number = 1; CELL.lastIndex < text.length; number++) {
    const start = CELL.lastIndex;
    const cells = cellsAt(text, number);
    if (!heading) {
      heading = cells;
      for (const name of Object.values(COLUMNS))
        if (!cells.includes(name)) throw new Difference(`line 1 has no column "${name}"`);
      continue;
    }
    if (cells.length !== heading.length)
      throw new Difference(`line ${number} has ${cells.length} cells instead of ${heading.length}`);
    const line = { number, start };
    for (const [key, name] of Object.entries(COLUMNS)) line[key] = cells[heading.indexOf(name)];
    lines.push(line);
  }
  const at = lines.findIndex(({ record }) => record !== 'entry');
  if (at < 0) throw new Difference('the footer is missing');
  const footer = lines.slice(at);
  const late = footer.find(({ record }) => record === 'entry');
  if (late) throw new Difference(`line ${late.number} is an entry after the footer began`);
  return { lines, footer, rowsText: text.slice(lines[0].start, footer[0].start) };
}

function cellsAt(text, number) {
  const cells = [];
  for (;;) {
    const match = CELL.exec(text);
    if (!match) throw new Difference(`line ${number} is not written as it was downloaded`);
    cells.push(match[1].replaceAll('""', '"'));
    if (match[2] !== ',') return cells;
  }
}

/** By account. Each transaction must sum to 0, so a changed amount is found at its transaction. */
function sumsOf(rows) {
  const sums = new Map();
  let transaction = [];
  for (const [index, row] of rows.entries()) {
    const debit = centsOf(row, 'debit');
    const credit = centsOf(row, 'credit');
    if ((debit === null) === (credit === null))
      throw new Difference(`line ${row.number} has not exactly one of debit and credit`);
    const sum = sums.get(row.account) ?? { debit: 0n, credit: 0n };
    sums.set(row.account, { debit: sum.debit + (debit ?? 0n), credit: sum.credit + (credit ?? 0n) });
    transaction.push({ number: row.number, cents: (debit ?? 0n) - (credit ?? 0n) });
    if (rows[index + 1]?.transaction === row.transaction) continue;
    const rest = transaction.reduce((total, { cents }) => total + cents, 0n);
    if (rest !== 0n)
      throw new Difference(
        `lines ${transaction[0].number} to ${row.number}, transaction ${row.transaction}: debits and credits differ by ${dollars(rest < 0n ? -rest : rest)}`,
      );
    transaction = [];
  }
  return sums;
}

function centsOf(row, side) {
  if (row[side] === '') return null;
  if (!AMOUNT.test(row[side])) throw new Difference(`line ${row.number}: "${row[side]}" is no amount`);
  return BigInt(row[side].replace('.', ''));
}

function totalOf(sums) {
  let [debit, credit] = [0n, 0n];
  for (const sum of sums.values()) [debit, credit] = [debit + sum.debit, credit + sum.credit];
  return { debit, credit };
}

/** Line by line, so that the first difference is the first line that is wrong. */
function checkFooter(footer, { sums, rows, rowsText, text }) {
  const summed = new Set();
  const seen = new Set();
  for (const line of footer) {
    if (line.record === 'sum') {
      expectSides(line, sums.get(line.account) ?? { debit: 0n, credit: 0n }, `the sum of ${line.account}`);
      if (summed.has(line.account)) throw new Difference(`line ${line.number} is a second sum of ${line.account}`);
      summed.add(line.account);
      continue;
    }
    const isMany = ['not compared', 'differs from Stripe', 'sales tax in prices'].includes(line.record);
    if (seen.has(line.record) && !isMany) throw new Difference(`line ${line.number} is a second "${line.record}"`);
    seen.add(line.record);
    if (line.record === 'total') expectSides(line, totalOf(sums), 'the total');
    if (line.record === 'rows') expectValue(line, String(rows));
    if (line.record === 'sha-256 of the rows') expectValue(line, sha256(rowsText));
    if (line.record === 'sha-256 of the file above') expectValue(line, sha256(text.slice(0, line.start)));
  }
  for (const account of sums.keys())
    if (!summed.has(account)) throw new Difference(`the footer has no sum of ${account}`);
  for (const record of ['total', 'rows', 'sha-256 of the rows', 'compared with Stripe up to'])
    if (!seen.has(record)) throw new Difference(`the footer has no "${record}"`);
  if (footer.at(-1).record !== 'sha-256 of the file above') throw new Difference('the last line is missing');
}

function expectSides(line, sum, name) {
  for (const side of ['debit', 'credit']) {
    const stated = centsOf(line, side) ?? 0n;
    if (stated !== sum[side])
      throw new Difference(
        `line ${line.number}: ${name}, ${side}, is ${dollars(stated)} in the footer and ${dollars(sum[side])} in the rows`,
      );
  }
}

function expectValue(line, expected) {
  if (line.value !== expected)
    throw new Difference(
      `line ${line.number}: ${line.record}: the footer says ${line.value}, the file has ${expected}`,
    );
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

function dollars(cents) {
  const digits = String(cents).padStart(3, '0');
  return `$${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
