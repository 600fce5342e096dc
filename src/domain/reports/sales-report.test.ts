import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../sales/sales-days.ts';
import {
  byDay,
  bySplit,
  cellsOfReversal,
  NO_SALES,
  periodWithin,
  type SalesCell,
  salesSplits,
  sumOf,
  wholePeriod,
  within,
} from './sales-report.ts';

const FIRST = '2026-02-20';
const day = fc.integer({ min: 0, max: 300 }).map((days) => addDays(FIRST, days));
const amount = fc.integer({ min: 0, max: 1_000_000 });
const cell: fc.Arbitrary<SalesCell> = fc.record({
  day,
  type: fc.constantFrom('floor', 'balcony'),
  channel: fc.constantFrom('online', 'comp'),
  link: fc.constantFrom(null, 'poster', 'radio'),
  code: fc.constantFrom(null, 'SPRING'),
  tickets: fc.nat(5),
  grossCents: amount,
  discountCents: amount,
  refundedTickets: fc.nat(5),
  refundedCents: amount,
});

describe('the sales report', () => {
  it('has the same sums by day and by each split, in any period [REPORT-1 REPORT-3]', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 40 }), day, day, (cells, one, other) => {
        const whole = wholePeriod(cells, addDays(FIRST, 280));
        const [from, until] = one < other ? [one, other] : [other, one];
        const period = periodWithin(whole, { from, until });
        const chosen = within(cells, period);
        const total = sumOf(chosen);

        expect(total).toEqual(sumOf(within(cells, { from, until })));
        expect(sumOf(byDay(chosen, period))).toEqual(total);
        for (const split of salesSplits) expect(sumOf(bySplit(chosen, split))).toEqual(total);
        expect(sumOf(byDay(cells, whole))).toEqual(sumOf(cells));
      }),
      { numRuns: 2000 },
    );
  });

  it('has every day of its period once, those of 23 and 25 hours included [REPORT-1]', () => {
    const period = { from: '2026-03-07', until: '2026-11-02' };
    const days = byDay([], period).map((one) => one.day);

    expect(days).toHaveLength(241);
    expect(new Set(days).size).toBe(241);
    expect([days[0], days[1], days.at(-2), days.at(-1)]).toEqual([
      '2026-03-07',
      '2026-03-08',
      '2026-11-01',
      '2026-11-02',
    ]);
  });

  it('shows nothing of days before the first sale and after the last one', () => {
    const whole = { from: '2026-05-01', until: '2026-05-09' };

    expect(periodWithin(whole, {})).toEqual(whole);
    expect(periodWithin(whole, { from: '1970-01-01', until: '9999-12-31' })).toEqual(whole);
    expect(periodWithin(whole, { from: '2026-06-01' })).toEqual({ from: '2026-06-01', until: '2026-06-01' });
    expect(periodWithin(whole, { until: '2026-04-01' })).toEqual({ from: '2026-04-01', until: '2026-04-01' });
    expect(periodWithin(whole, { from: '2026-05-03', until: '2026-05-04' })).toEqual({
      from: '2026-05-03',
      until: '2026-05-04',
    });
  });

  it('divides what was reversed of an order among its tickets, to the cent [REPORT-3]', () => {
    const ticket = fc.record({
      type: fc.constantFrom('floor', 'balcony'),
      code: fc.constantFrom(null, 'SPRING'),
      cents: fc.integer({ min: 0, max: 500_000 }),
      isRefunded: fc.boolean(),
      isVoided: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(ticket, { minLength: 1, maxLength: 20 }), amount, (tickets, cents) => {
        const cells = cellsOfReversal({ day: FIRST, channel: 'online', link: null, cents, tickets });

        expect(sumOf(cells)).toMatchObject({ ...NO_SALES, refundedCents: cents, refundedTickets: expect.any(Number) });
        expect(cells.every((one) => one.refundedCents >= 0)).toBe(true);
      }),
    );
    const shared = { code: null, isRefunded: false, isVoided: true };
    const cells = cellsOfReversal({
      day: FIRST,
      channel: 'online',
      link: 'poster',
      cents: 40_01,
      tickets: [
        { ...shared, type: 'floor', cents: 10_00 },
        { ...shared, type: 'floor', cents: 99_00, isRefunded: true, isVoided: false },
        { ...shared, type: 'balcony', cents: 30_00 },
      ],
    });
    expect(cells.map(({ type, refundedCents, refundedTickets }) => [type, refundedCents, refundedTickets])).toEqual([
      ['floor', 10_01, 1],
      ['balcony', 30_00, 1],
    ]);
  });
});
