import { describe, expect, it } from 'vitest';
import { afterKey, noBurst, valueAfterScan } from './keystroke-burst.ts';

/** Types keys; each gap is the time in milliseconds since the previous key. */
function typed(keys: readonly string[], gaps: number | readonly number[]): (string | null)[] {
  let burst = noBurst;
  let at = 1000;
  return keys.map((key, index) => {
    at += typeof gaps === 'number' ? gaps : (gaps[index] ?? 0);
    const after = afterKey(burst, { key, at });
    burst = after.burst;
    return after.scan;
  });
}

const NUMBER = '4102938475';
const keysOf = (digits: string) => Array.from(digits);
const keys = [...keysOf(NUMBER), 'Enter'];
const scans = (answers: (string | null)[]) => answers.filter((answer) => answer !== null);

describe('afterKey', () => {
  it.each([0, 5, 25, 60])('detects a scan with keys %i ms apart', (gap) => {
    expect(typed(keys, gap)).toEqual([...Array.from({ length: 10 }, () => null), NUMBER]);
  });

  it.each([61, 90, 200])('detects typing with keys %i ms apart', (gap) => {
    expect(scans(typed(keys, gap))).toEqual([]);
  });

  it('rejects a burst with one long pause anywhere', () => {
    for (let pause = 1; pause < keys.length; pause++) {
      const answers = typed(
        keys,
        keys.map((_, index) => (index === pause ? 400 : 10)),
      );
      // Six digits after the pause still make a scan, of a number that no ticket has.
      expect(scans(answers)).toEqual(pause <= 4 ? [NUMBER.slice(pause)] : []);
    }
  });

  it('rejects fewer than six digits', () => {
    expect(scans(typed([...keysOf('12345'), 'Enter'], 10))).toEqual([]);
    expect(scans(typed([...keysOf('123456'), 'Enter'], 10))).toEqual(['123456']);
  });

  it('starts over after any other key and after a scan', () => {
    expect(scans(typed(['1', '2', 'a', ...keys], 10))).toEqual([NUMBER]);
    expect(scans(typed([...keysOf(NUMBER), 'Tab', 'Enter'], 10))).toEqual([]);
    expect(scans(typed([...keys, 'Enter', ...keys], 10))).toEqual([NUMBER, NUMBER]);
  });

  it('discards an endless burst', () => {
    expect(scans(typed([...keysOf('1'.repeat(101)), 'Enter'], 1))).toEqual([]);
  });
});

describe('valueAfterScan', () => {
  it.each([
    ['leftover digits before the scan', `77${NUMBER}`, NUMBER, NUMBER],
    ['a scan split by a pause', NUMBER, NUMBER.slice(3), NUMBER],
    ['the scan alone', NUMBER, NUMBER, NUMBER],
    ['an earlier number before the scan', `1234567890${NUMBER}`, NUMBER, NUMBER],
    ['a number of another length', '123456', '123456', '123456'],
  ])('handles %s', (_what, value, scan, meant) => {
    expect(valueAfterScan(value, scan)).toBe(meant);
  });
});
