import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf, dollarsOf } from './money.ts';

describe('a price', () => {
  it.each([
    ['25', 2500],
    [25.5, 2550],
    ['25.50', 2550],
    ['$1,250', 125_000],
    ['$1,250.50', 125_050],
    ['1,250,000', 125_000_000],
    ['19.99', 1999],
    [19.99, 1999],
    ['0', 0],
    [' 5.1 ', 510],
    ['50000', 5_000_000],
  ])('parses %j as %i cents', (price, cents) => {
    expect(centsOf(price)).toBe(cents);
  });

  it.each([
    '',
    'free',
    '-1',
    '1.999',
    '1e3',
    '0x10',
    'NaN',
    '1,25',
    '1,2500',
    '25$',
    '.',
    '5.',
    Number.NaN,
    0.001,
    1e21,
  ])('rejects %j', (price) => {
    expect(centsOf(price)).toBeNull();
  });

  it('survives a round trip over the wire', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 99_999_999 }), (cents) => centsOf(dollarsOf(cents)) === cents));
  });
});
