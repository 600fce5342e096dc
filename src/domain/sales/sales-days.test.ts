import { describe, expect, it } from 'vitest';
import { addDays, dayOf, daysBetween, startOfDay, withEmptyDays } from './sales-days.ts';

const NEW_YORK = 'America/New_York';
const HOUR = 60 * 60_000;

describe('the days of sales', () => {
  it('include those without sales, up to today', () => {
    const days = [
      { day: '2026-03-06', sold: 2 },
      { day: '2026-03-09', sold: 5 },
    ];

    expect(withEmptyDays(days, '2026-03-10')).toEqual([
      { day: '2026-03-06', sold: 2 },
      { day: '2026-03-07', sold: 0 },
      { day: '2026-03-08', sold: 0 },
      { day: '2026-03-09', sold: 5 },
      { day: '2026-03-10', sold: 0 },
    ]);
    expect(withEmptyDays(days, '2026-03-01')).toHaveLength(4);
    expect(withEmptyDays([], '2026-03-10')).toEqual([]);
  });

  it('go over the ends of months and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2027-01-01', -1)).toBe('2026-12-31');
    expect(daysBetween('2026-10-31', '2026-11-02')).toBe(2);
  });

  it.each([
    ['2026-03-08', 23],
    ['2026-06-12', 24],
    ['2026-11-01', 25],
  ])('%s has %i hours', (day, hours) => {
    const [from, to] = [startOfDay(day, NEW_YORK), startOfDay(addDays(day, 1), NEW_YORK)];

    expect((to.getTime() - from.getTime()) / HOUR).toBe(hours);
    expect(dayOf(from, NEW_YORK)).toBe(day);
    expect(dayOf(new Date(to.getTime() - 1), NEW_YORK)).toBe(day);
  });

  it('do not begin in the hour that a zone skips', () => {
    expect(() => startOfDay('2026-03-08', 'Atlantic/Azores')).not.toThrow();
    expect(() => startOfDay('2026-09-06', 'America/Santiago')).toThrow(RangeError);
  });
});
