import { describe, expect, it } from 'vitest';
import { addDays } from '#domain/sales/sales-days.ts';
import { lastDaysChart, paceChart } from './sales-chart.ts';

const daysFrom = (first: string, sold: readonly number[]) =>
  sold.map((count, index) => ({ day: addDays(first, index), sold: count }));

const sales = {
  days: daysFrom('2026-06-01', [5, 0, 3, 2]),
  pace: 20,
  sold: 10,
  offered: 40,
  startsAt: '2026-06-09T00:00:00Z',
  timezone: 'America/New_York',
  now: '2026-06-04T16:00:00Z',
};

describe('the chart of tickets sold', () => {
  it('adds up the days, and has room until the event [OVER-2]', () => {
    const chart = paceChart(sales);

    expect(chart.points.map(({ value, title }) => [value, title])).toEqual([
      [5, 'Mon, Jun 1: 5 in all'],
      [5, 'Tue, Jun 2: 5 in all'],
      [8, 'Wed, Jun 3: 8 in all'],
      [10, 'Thu, Jun 4: 10 in all'],
    ]);
    // It starts on June 8 in New York.
    expect(chart).toMatchObject({ slots: 8, outlook: 20, limit: 40, top: 40 });
    expect(chart.axis).toEqual([
      { at: 0.5, text: 'Jun 1' },
      { at: 3.5, text: 'Today' },
      { at: 7.5, text: 'Event Jun 8' },
    ]);
  });

  it('ends before a distant event, on the way to what is expected', () => {
    const chart = paceChart({ ...sales, startsAt: '2026-07-23T00:00:00Z', pace: 58, offered: 100 });

    expect(chart).toMatchObject({ slots: 18, outlook: 10 + 48 * (14 / 48) });
    expect(chart.axis.at(-1)).toEqual({ at: 17.5, text: 'Jun 18' });
  });

  it('leaves out a capacity far above what is sold', () => {
    expect(paceChart({ ...sales, offered: 5000, pace: null })).toMatchObject({
      limit: undefined,
      outlook: undefined,
      top: 10,
    });
  });

  it('ends with the last day once the event has begun', () => {
    const chart = paceChart({ ...sales, startsAt: '2026-06-03T20:00:00Z', pace: null });

    expect(chart.slots).toBe(4);
    expect(chart.axis.map(({ text }) => text)).toEqual(['Jun 1', 'Jun 4']);
  });

  it('shows no label for today where another one is', () => {
    const long = daysFrom('2026-05-01', Array<number>(37).fill(1));

    expect(paceChart({ ...sales, days: long }).axis.map(({ text }) => text)).toEqual(['May 1', 'Event Jun 8']);
  });
});

describe('the chart of the last days', () => {
  it('has fourteen, whenever the first sale was [OVER-2]', () => {
    const chart = lastDaysChart(sales);

    expect(chart.rows).toHaveLength(14);
    expect(chart.rows.at(0)).toEqual({ day: '2026-05-22', sold: 0 });
    expect(chart.points.at(-1)).toEqual({ key: '2026-06-04', value: 2, title: 'Thu, Jun 4: 2' });
    expect(chart.axis.map(({ text }) => text)).toEqual(['May 23', 'May 26', 'May 29', 'Jun 1', 'Jun 4']);
    expect(lastDaysChart({ days: daysFrom('2026-05-01', Array<number>(40).fill(2)) }).rows).toHaveLength(14);
  });
});
