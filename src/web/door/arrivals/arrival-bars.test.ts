import { describe, expect, it } from 'vitest';
import { arrivalBars, BAR_MS, labelledBars, recentArrivals } from './arrival-bars.ts';
import { summarizeArrivals } from './arrivals-summary.ts';

const NEW_YORK = 'America/New_York';
/** 7:00 PM in New York. */
const SEVEN = Date.parse('2026-06-12T23:00:00Z');
const MINUTE = 60_000;
const at = (minutes: number, admitted: number) => ({ from: SEVEN + minutes * MINUTE, admitted });

describe('arrivalBars', () => {
  it('are empty before the first arrival', () => {
    expect(arrivalBars([], SEVEN)).toEqual({ bars: [], earlier: 0, top: 0 });
  });

  it('cover five minutes each, empty ones included', () => {
    const { bars } = arrivalBars([at(0, 3), at(60, 5)], SEVEN + 71 * MINUTE);

    expect(bars.map(({ from }) => (from - SEVEN) / MINUTE)).toEqual(Array.from({ length: 15 }, (_, bar) => bar * 5));
    expect(bars.map(({ admitted }) => admitted)).toEqual([3, ...Array(11).fill(0), 5, 0, 0]);
  });

  it('span at least an hour', () => {
    const { bars } = arrivalBars([at(0, 3)], SEVEN);

    expect(bars).toHaveLength(12);
    expect(bars.at(-1)).toEqual(at(0, 3));
  });

  it('continue for an hour after the last guest', () => {
    const length = (minutes: number) => arrivalBars([at(0, 1), at(60, 1)], SEVEN + minutes * MINUTE).bars.length;

    expect([length(60), length(90), length(120), length(600)]).toEqual([13, 19, 25, 25]);
  });

  it('cover the last six hours and count earlier arrivals', () => {
    const chart = arrivalBars([at(-24 * 60, 2), at(-361, 4), at(0, 9)], SEVEN);

    expect(chart.bars).toHaveLength(12);
    expect(chart.earlier).toBe(6);
    const long = arrivalBars([at(-355, 1), at(0, 9)], SEVEN);
    expect([long.bars.length, long.earlier]).toEqual([72, 0]);
  });

  it('end with the last guest when the clock is behind', () => {
    expect(arrivalBars([at(10, 2)], SEVEN).bars.at(-1)).toEqual(at(10, 2));
  });

  it('have round time labels, fewer with more bars', () => {
    const labels = (minutes: number) =>
      labelledBars(arrivalBars([at(0, 1), at(minutes, 1)], SEVEN + minutes * MINUTE).bars).map(
        ({ from }) => (from - SEVEN) / MINUTE,
      );

    expect(labels(60)).toEqual([0, 15, 30, 45, 60]);
    expect(labels(120)).toEqual([0, 30, 60, 90, 120]);
    expect(labels(300)).toEqual([0, 60, 120, 180, 240, 300]);
  });
});

describe('recentArrivals', () => {
  it('counts from the start of the previous bar', () => {
    const arrivals = [at(-10, 7), at(-5, 3), at(0, 2)];

    expect(recentArrivals(arrivals, SEVEN + 4 * MINUTE)).toEqual({ from: SEVEN - BAR_MS, admitted: 5 });
    expect(recentArrivals(arrivals, SEVEN + 20 * MINUTE)).toEqual({ from: SEVEN + 15 * MINUTE, admitted: 0 });
  });
});

describe('summarizeArrivals', () => {
  const summary = (arrivals: Parameters<typeof arrivalBars>[0]) =>
    summarizeArrivals(arrivalBars(arrivals, SEVEN), NEW_YORK, SEVEN);

  it('tells the total, the span and the busiest bar', () => {
    expect(summary([at(-15, 4), at(-10, 18), at(-5, 9)])).toBe(
      '31 arrivals, 6:45 PM – 7:00 PM. Busiest: 6:50 PM (18).',
    );
  });

  it('covers a single bar, and counts earlier arrivals', () => {
    expect(summary([at(-60 * 24, 2), at(-5, 1)])).toBe('1 arrival, 6:55 PM – 7:00 PM. Before that: 2.');
  });
});
