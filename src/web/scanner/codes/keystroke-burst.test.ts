import { describe, expect, it } from 'vitest';
import { afterKey, noBurst, scannedInto } from './keystroke-burst.ts';

/** Types keys, each so many milliseconds after the one before. */
function typed(keys: readonly string[], gaps: number | readonly number[]): (string | null)[] {
  let burst = noBurst;
  let at = 1000;
  return keys.map((key, place) => {
    at += typeof gaps === 'number' ? gaps : (gaps[place] ?? 0);
    const after = afterKey(burst, { key, at });
    burst = after.burst;
    return after.scan;
  });
}

const NUMBER = '4102938475';
const keysOf = (digits: string) => Array.from(digits);
const keys = [...keysOf(NUMBER), 'Enter'];
const scans = (answers: (string | null)[]) => answers.filter((answer) => answer !== null);

describe('keys at the door', () => {
  it.each([0, 5, 25, 60])('are a scan when a number and Enter come %i ms apart', (gap) => {
    expect(typed(keys, gap)).toEqual([...Array.from({ length: 10 }, () => null), NUMBER]);
  });

  it.each([61, 90, 200])('are a person typing when they come %i ms apart', (gap) => {
    expect(scans(typed(keys, gap))).toEqual([]);
  });

  it('are no scan when one pause is long, wherever it is', () => {
    for (let pause = 1; pause < keys.length; pause++) {
      const answers = typed(
        keys,
        keys.map((_, place) => (place === pause ? 400 : 10)),
      );
      // The last six digits are a number again, if a wrong one: the door then says that it does not know it.
      expect(scans(answers)).toEqual(pause <= 4 ? [NUMBER.slice(pause)] : []);
    }
  });

  it('are no scan when fewer than six digits come before Enter', () => {
    expect(scans(typed([...keysOf('12345'), 'Enter'], 10))).toEqual([]);
    expect(scans(typed([...keysOf('123456'), 'Enter'], 10))).toEqual(['123456']);
  });

  it('begin anew after any other key, and after a scan', () => {
    expect(scans(typed(['1', '2', 'a', ...keys], 10))).toEqual([NUMBER]);
    expect(scans(typed([...keysOf(NUMBER), 'Tab', 'Enter'], 10))).toEqual([]);
    expect(scans(typed([...keys, 'Enter', ...keys], 10))).toEqual([NUMBER, NUMBER]);
  });

  it('are forgotten when they go on and on', () => {
    expect(scans(typed([...keysOf('1'.repeat(101)), 'Enter'], 1))).toEqual([]);
  });
});

describe('a code field after a scan into it', () => {
  it.each([
    ['digits of an earlier try before it', `77${NUMBER}`, NUMBER, NUMBER],
    ['a whole number that a pause has cut', NUMBER, NUMBER.slice(3), NUMBER],
    ['nothing else', NUMBER, NUMBER, NUMBER],
    ['an earlier number before it', `1234567890${NUMBER}`, NUMBER, NUMBER],
    ['another kind of number', '123456', '123456', '123456'],
  ])('holds %s', (_what, value, scan, meant) => {
    expect(scannedInto(value, scan)).toBe(meant);
  });
});
