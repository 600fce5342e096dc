import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';
import { STANDARD_TICKET_FEE } from '#tests/support/standard-terms.ts';
import {
  recordDisputeLost,
  recordDisputeOpened,
  recordDisputeWon,
  recordExternalRefund,
  recordExternalRefundFailed,
  recordOwedPaid,
  recordPayout,
  recordRefund,
  recordRefundCosts,
  recordRefundFailed,
  recordRefundMoved,
  recordReversal,
  recordUnfulfillableSale,
  recordWriteOff,
} from './record-movements.ts';

const at = new Date('2026-06-12T20:00:00Z');
const ref = { eventId: 'e1', subjectId: 's1', at };
const movement = { ...ref, cents: 24_00 };
const lost = { cents: 24_00, feeCents: 15_00 };
const external = { ...movement, organizerCents: 20_00 };
const reversal = { ...ref, grossCents: 48_00, feesCents: 2_46, reserveCents: 0 };
const statement = {
  paidTickets: 3,
  freeTickets: 0,
  ticketsOnHold: 1,
  grossCents: 99_99,
  rate: STANDARD_TICKET_FEE,
  ticketFeesCents: 4_26,
  processingFeeCents: 15_00,
  onHoldCents: 33_33,
  deductedCents: 10_00,
  debtDeductedCents: 20_00,
  netCents: 50_73,
};

/** Kind, recording function and expected entries: debits are positive, credits negative. */
const MOVEMENTS: [string, (db: Db) => Promise<void>, Record<string, number>][] = [
  ['unfulfillable-sale', (db) => recordUnfulfillableSale(db, movement), { processor: 24_00, 'owed-to-buyers': -24_00 }],
  ['refund', (db) => recordRefund(db, movement), { 'organizer-payable': 24_00, 'owed-to-buyers': -24_00 }],
  ['refund-moved', (db) => recordRefundMoved(db, movement), { 'owed-to-buyers': 24_00, processor: -24_00 }],
  ['refund-failed', (db) => recordRefundFailed(db, movement), { processor: 24_00, 'owed-to-buyers': -24_00 }],
  [
    'external-refund',
    (db) => recordExternalRefund(db, { ...external, hasMoved: true }),
    { 'organizer-payable': 20_00, 'owed-to-buyers': 4_00, processor: -24_00 },
  ],
  [
    'external-refund',
    (db) => recordExternalRefund(db, { ...external, hasMoved: false }),
    { 'organizer-payable': 20_00, 'owed-to-buyers': -20_00 },
  ],
  [
    'external-refund-failed',
    (db) => recordExternalRefundFailed(db, movement),
    { processor: 24_00, 'owed-to-buyers': -24_00 },
  ],
  [
    'dispute-opened',
    (db) => recordDisputeOpened(db, { ...ref, ...lost }),
    { disputed: 24_00, 'dispute-costs': 15_00, processor: -39_00 },
  ],
  [
    'dispute-won',
    (db) => recordDisputeWon(db, { ...ref, cents: 24_00, feeCents: -15_00 }),
    { processor: 39_00, disputed: -24_00, 'dispute-costs': -15_00 },
  ],
  [
    'dispute-lost',
    (db) => recordDisputeLost(db, ref, { ...lost, organizerCents: 10_00, buyerCents: 5_00 }),
    { disputed: -24_00, 'organizer-payable': 10_00, 'owed-to-buyers': 5_00, 'dispute-costs': 24_00, processor: -15_00 },
  ],
  [
    'payout',
    (db) => recordPayout(db, ref, statement),
    { 'organizer-payable': 89_99, processor: -50_73, 'platform-fees': -19_26, receivables: -20_00 },
  ],
  [
    'transfer-reversal',
    (db) => recordReversal(db, reversal, 'processor'),
    { processor: 45_54, 'platform-fees': 2_46, 'organizer-payable': -48_00 },
  ],
  [
    'transfer-reversal',
    (db) => recordReversal(db, reversal, 'receivables'),
    { receivables: 45_54, 'platform-fees': 2_46, 'organizer-payable': -48_00 },
  ],
  ['refund-costs', (db) => recordRefundCosts(db, movement, 'receivables'), { receivables: 24_00, 'card-fees': -24_00 }],
  ['owed-paid', (db) => recordOwedPaid(db, movement), { 'owed-to-buyers': 24_00, operator: -24_00 }],
  ['write-off', (db) => recordWriteOff(db, movement), { receivables: -24_00, 'write-offs': 24_00 }],
];

describe('a money movement', () => {
  it.each(MOVEMENTS)('writes %s with entries that sum to 0', async (kind, record, accounts) => {
    const rows = await rowsOf(record);

    expect(Object.fromEntries(rows.map((row) => [row['account'], row['cents']]))).toEqual(accounts);
    expect(Object.values(accounts).reduce((sum, cents) => sum + cents, 0)).toBe(0);
    for (const row of rows) expect(row).toMatchObject({ eventId: 'e1', subjectId: 's1', kind, createdAt: at });
  });

  it('writes nothing for an amount of 0', async () => {
    expect(await rowsOf((db) => recordRefund(db, { ...movement, cents: 0 }))).toEqual([]);
  });
});

/** The rows that would be inserted, without a database. */
async function rowsOf(record: (db: Db) => Promise<void>): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (all) => new PostgresIntrospector(all),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      const columns = /\((.*?)\) values/.exec(query.sql)?.[1]?.replaceAll('"', '').split(', ') ?? [];
      for (let from = 0; from < query.parameters.length; from += columns.length)
        rows.push(Object.fromEntries(columns.map((column, index) => [column, query.parameters[from + index]])));
    },
  });
  await record(db);
  return rows;
}
