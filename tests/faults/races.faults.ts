/** Proves that the test of each race fails without its guard. */
import { describe, expect, it } from 'vitest';
import { races } from './guards/races.ts';
import { testWithout } from './guards/run-without.ts';

const TIMEOUT_MS = 180_000;

describe('without its guard', () => {
  it.each(races.map((race): [string, typeof race] => [race.between, race]))(
    'the test of this race fails: %s',
    async (_between, { edits, failure, ...test }) => {
      const { isRed, output } = await testWithout(edits, test);

      expect(isRed).toBe(true);
      expect(output).toContain(failure);
    },
    TIMEOUT_MS,
  );
});
