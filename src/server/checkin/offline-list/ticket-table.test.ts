import { describe, expect, it } from 'vitest';
import { unpackTickets } from '#tests/support/offline-device.ts';
import { type TableRow, TicketTable } from './ticket-table.ts';

const ticket = (change: Partial<TableRow>): TableRow => ({
  key: 0xa1b2c3d4e5f6,
  hash: 1,
  type: 0,
  state: 'valid',
  writtenBy: 100,
  scannedBy: null,
  ...change,
});

function tableOf(...rows: Partial<TableRow>[]): TicketTable {
  const table = new TicketTable();
  for (const row of rows) table.put(ticket(row));
  return table;
}

const keysSince = (table: TicketTable, transaction: number) =>
  unpackTickets(table.changedSince(transaction).toString('base64')).map(({ key }) => Number.parseInt(key, 16));

const TICKET = { isAddOn: false };

describe('the ticket table', () => {
  it('encodes each ticket in twelve bytes: key, hash, type, state', () => {
    const table = tableOf({ hash: 0x01234567, type: 19, state: 'refunded' });

    expect(table.all().toString('hex')).toBe('a1b2c3d4e5f6012345671303');
  });

  it('keeps the last row of each ticket, even among thousands of colliding keys', () => {
    const keys = Array.from({ length: 5_000 }, (_, n) => n * 2 ** 20 + (n % 3));
    const table = tableOf(...keys.map((key) => ({ key })));
    for (const [n, key] of keys.entries()) table.put(ticket({ key, hash: n, state: 'scanned', scannedBy: 'front' }));

    const tickets = unpackTickets(table.all().toString('base64'));
    expect(tickets).toEqual(
      keys.map((key, n) => ({ key: key.toString(16).padStart(12, '0'), hash: n, type: 0, state: 'scanned' })),
    );
    expect(table.tally([TICKET]).types).toEqual([{ sold: 5_000, admitted: 5_000 }]);
  });

  it('returns the tickets written by a transaction or a later one', () => {
    const table = tableOf({ key: 1, writtenBy: 99 }, { key: 2, writtenBy: 100 }, { key: 3, writtenBy: 101 });

    expect([99, 100, 101, 102].map((since) => keysSince(table, since))).toEqual([[1, 2, 3], [2, 3], [3], []]);
  });

  it('handles transaction ids that wrap around', () => {
    const last = 2 ** 32 - 1;
    const table = tableOf({ key: 1, writtenBy: last - 1 }, { key: 2, writtenBy: last }, { key: 3, writtenBy: 5 });

    expect(keysSince(table, last - 1)).toEqual([1, 2, 3]);
    expect(keysSince(table, last)).toEqual([2, 3]);
    expect(keysSince(table, 4)).toEqual([3]);
    expect(keysSince(table, 6)).toEqual([]);
  });

  it('tallies sold and admitted tickets by type, and check-ins by device', () => {
    const table = tableOf(
      { key: 1, state: 'scanned', scannedBy: 'front' },
      { key: 2, state: 'scanned', scannedBy: 'back', type: 1 },
      { key: 3, state: 'disputed' },
      { key: 4, state: 'valid', type: 1 },
      { key: 5, state: 'refunding' },
      { key: 6, state: 'refunded' },
      { key: 7, state: 'void', type: 1 },
    );
    const tally = table.tally([TICKET, TICKET]);

    expect(tally.types).toEqual([
      { sold: 2, admitted: 1 },
      { sold: 2, admitted: 1 },
    ]);
    expect(['front', 'back', 'nobody'].map(tally.admittedBy)).toEqual([1, 1, 0]);

    expect(table.tally([TICKET, { isAddOn: true }]).admittedBy('back')).toBe(0);

    table.put(ticket({ key: 1 }));
    expect(table.tally([TICKET, TICKET]).admittedBy('front')).toBe(0);
  });

  it('takes at most 60 bytes a ticket once it is large', () => {
    const table = tableOf(...Array.from({ length: 5_000 }, (_, key) => ({ key })));
    expect(table.bytes / 5_000).toBeLessThan(60);
  });
});
