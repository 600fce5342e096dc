/** Proves that the random histories detect the removal of each guard. */
import { describe, expect, it } from 'vitest';
import { guards } from './guards/guards.ts';
import { runHistoriesWithout } from './guards/run-without.ts';

const HISTORIES = 50;
/** Some guards back up others, so only a rare failure shows that one is missing. */
const AT_MOST = 40;
const TIMEOUT_MS = 1_800_000;
const SEED = 20_261_121;

describe('the histories', () => {
  it('find no error in the unmodified code', async () => {
    expect(await runHistoriesWithout([], { seed: SEED, histories: HISTORIES, batches: 1 })).toEqual({
      isRed: false,
      output: '',
    });
  });

  it.each(guards.map((guard): [string, typeof guard] => [guard.name, guard]))(
    'detect a missing guard: %s',
    async (_name, { edits }) => {
      const { isRed } = await runHistoriesWithout(edits, { seed: SEED, histories: HISTORIES, batches: AT_MOST });

      expect(isRed).toBe(true);
    },
    TIMEOUT_MS,
  );
});
