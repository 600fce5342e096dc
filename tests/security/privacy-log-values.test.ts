import { describe, expect, it } from 'vitest';
import { withoutValues } from '#server/main/logged-error.ts';
import { cpuTimeOf } from '#tests/support/cpu-time.ts';

const FILL = 'a word '.repeat(40);

describe('user input in a log message', () => {
  it.each([
    ['is long, and its quote ends after the cut', `${FILL}invalid "Ada Lovelace ${FILL}" here`],
    ['has an unterminated quote', 'invalid input "Ada Lovelace'],
    ['has an apostrophe as an unterminated quote', "invalid input 'Ada Lovelace"],
    ['has an unclosed bracket', 'Key (first_name)=(Ada Lovelace'],
    ['is an address after a comma', 'no such user Ada,Lovelace@example.com here'],
  ])('is removed where it %s', (_what, text) => {
    expect(withoutValues(text)).not.toMatch(/Ada|Lovelace/);
  });

  it('leaves the surrounding words, even with an apostrophe in them', () => {
    expect(withoutValues('can\'t read the row "Ada" of it')).toBe('can… of it');
    expect(withoutValues("the client doesn't answer")).toBe("the client doesn't answer");
  });

  it('costs time in proportion to its length, and makes no long line', () => {
    const written = ['x'.repeat(1_000_000), '('.repeat(1_000_000), `"${'a '.repeat(500_000)}`, 'a b '.repeat(300_000)];

    const ms = cpuTimeOf(() => {
      for (const text of written) expect(withoutValues(text).length).toBeLessThanOrEqual(300);
    });

    expect(ms).toBeLessThan(2_000);
  });
});
