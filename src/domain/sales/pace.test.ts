import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceOf, type SalesSoFar } from './pace.ts';

const NOW = new Date('2026-06-10T16:00:00Z');
const days = (count: number) => new Date(NOW.getTime() + count * 24 * 60 * 60_000);

/** 40 of 160 sold in ten days, 20 of them in the last five; ten days to go. */
const half: SalesSoFar = {
  sold: 40,
  offered: 160,
  firstSaleAt: days(-10),
  recent: { since: days(-5), sold: 20 },
  startsAt: days(10),
};

describe('the pace of an event', () => {
  it('goes on as in the last days', () => {
    expect(paceOf(half, NOW)).toBe(80);
  });

  it('counts from the first sale if that was later', () => {
    expect(paceOf({ ...half, firstSaleAt: days(-2.5) }, NOW)).toBe(120);
  });

  it('is never more than what is offered', () => {
    expect(paceOf({ ...half, offered: 70 }, NOW)).toBe(70);
  });

  it('stands still without recent sales, and with more refunds than sales', () => {
    for (const sold of [0, -3]) expect(paceOf({ ...half, recent: { since: days(-5), sold } }, NOW)).toBe(40);
  });

  it.each<[string, Partial<SalesSoFar>]>([
    ['before the fifth sale', { sold: 4 }],
    ['in the first two days of sales', { firstSaleAt: days(-1.99) }],
    ['without a sale', { firstSaleAt: null }],
    ['once it is sold out', { sold: 160 }],
    ['once the event has begun', { startsAt: NOW }],
  ])('is none %s', (_when, change) => {
    expect(paceOf({ ...half, ...change }, NOW)).toBeNull();
  });

  it('is there from the fifth sale and the second day on', () => {
    expect(paceOf({ ...half, sold: 5, firstSaleAt: days(-2) }, NOW)).toBe(105);
  });

  it('is at least what is sold, and at most what is offered', () => {
    const any = fc.record({
      sold: fc.integer({ min: 5, max: 500 }),
      offered: fc.integer({ min: 1, max: 500 }),
      first: fc.double({ min: 2, max: 400, noNaN: true }),
      since: fc.double({ min: 6, max: 7, noNaN: true }),
      recent: fc.integer({ min: -50, max: 500 }),
      left: fc.double({ min: 0.01, max: 400, noNaN: true }),
    });
    fc.assert(
      fc.property(any, ({ sold, offered, first, since, recent, left }) => {
        const pace = paceOf(
          {
            sold,
            offered,
            firstSaleAt: days(-first),
            recent: { since: days(-since), sold: recent },
            startsAt: days(left),
          },
          NOW,
        );
        if (sold >= offered) expect(pace).toBeNull();
        else expect(pace).toSatisfy((expected: number) => expected >= sold && expected <= offered);
      }),
    );
  });
});
