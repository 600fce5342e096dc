/** The histories are worth something only if they notice a product that lacks one of its guards. */
import { describe, expect, it } from 'vitest';
import { guards } from './guards/guards.ts';
import { tellWithout } from './guards/run-without.ts';

const HISTORIES = 50;
/** Some guards stand behind others, so that only a rare mishap shows that they are gone. */
const AT_MOST = 40;
const TIMEOUT_MS = 1_800_000;
const SEED = 20_261_121;

describe('the histories', () => {
  it('find nothing in the product as it is', async () => {
    expect(await tellWithout([], { seed: SEED, histories: HISTORIES, batches: 1 })).toEqual({
      isRed: false,
      words: '',
    });
  });

  it.each(guards.map((guard): [string, typeof guard] => [guard.name, guard]))(
    'find out that it is not so: %s',
    async (_name, { edits }) => {
      const { isRed } = await tellWithout(edits, { seed: SEED, histories: HISTORIES, batches: AT_MOST });

      expect(isRed).toBe(true);
    },
    TIMEOUT_MS,
  );
});
