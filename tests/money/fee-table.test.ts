/** Compares with figures calculated by hand: fee-table.txt is not generated. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { centsOf } from '#domain/money.ts';
import { payoutStatement } from '#domain/payout-statement.ts';
import { STANDARD_TERMS as terms } from '#tests/support/standard-terms.ts';
import { feeColumns } from './fee-columns.ts';

const FILE = new URL('fee-table.txt', import.meta.url);
const rows = readFileSync(FILE, 'utf8').trimEnd().split('\n').slice(1);
const columnsOf = (row: string) => row.trim().split(/\s+/);

function columnsFor(tickets: number, priceCents: number): string[] {
  const sold = Array<number>(tickets).fill(priceCents);
  return feeColumns({ terms, tickets, priceCents }, (isWaived) => payoutStatement(sold, isWaived, { terms }));
}

describe('the fee table', () => {
  it('has each number of tickets at each price', () => {
    const columns = rows.map((row) => columnsOf(row).slice(0, 2).join(' at '));
    const wanted = ['0', '1', '499', '500', '501'].flatMap((tickets) =>
      ['0.00', '0.50', '33.33', '50000.00'].map((price) => `${tickets} at ${price}`),
    );
    expect(columns).toEqual(wanted);
  });

  it.each(rows)('agrees with the code:%s', (row) => {
    const [tickets = '', price = '', ...rest] = columnsOf(row);

    expect(columnsFor(Number(tickets), centsOf(price) ?? Number.NaN)).toEqual([tickets, price, ...rest]);
  });
});
