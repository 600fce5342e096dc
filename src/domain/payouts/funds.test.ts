import { describe, expect, it } from 'vitest';
import { fundsState } from './funds.ts';

const now = new Date('2026-11-27T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const reading = { organizersCents: 90_00, buyersCents: 10_00, balanceCents: 100_00, readAt: minutesAgo(5) };
const compared = { comparedAt: minutesAgo(4), discrepancies: 0 };

describe('the state of funds', () => {
  it.each([
    ['covered', 'what is owed is there to the cent', reading, compared],
    ['short', 'a cent is missing', { ...reading, balanceCents: 99_99 }, compared],
    [
      'short',
      'too little is there, although payments differ, too',
      { ...reading, balanceCents: 0 },
      { ...compared, discrepancies: 1 },
    ],
    ['differs', 'a payment differs', reading, { ...compared, discrepancies: 1 }],
    ['stale', 'nothing was compared', reading, { ...compared, comparedAt: null }],
    ['covered', 'it was compared within the hour', reading, { ...compared, comparedAt: minutesAgo(59) }],
    ['stale', 'it was compared an hour ago', reading, { ...compared, comparedAt: minutesAgo(60) }],
    ['stale', 'the balance was read an hour ago', { ...reading, readAt: minutesAgo(60) }, compared],
  ])('is %s if %s', (state, _why, read, comparison) => {
    expect(fundsState(read, comparison, now)).toBe(state);
  });
});
