import { describe, expect, it } from 'vitest';
import { runBatch } from './histories/run-histories.ts';

/** The ordinary tests run a few dozen histories; `npm run faults` runs thousands. */
const SEED = 20_261_121;
const HISTORIES = 20;

/** A batch in which nothing happens proves nothing. */
const CAME_ABOUT = [
  'orders paid',
  'orders expired',
  'orders unfulfillable',
  'tickets scanned',
  'refunds sent',
  'payouts paid',
];

describe('random histories', () => {
  it('keep the money correct', async () => {
    const { errors, tally } = await runBatch({ seed: SEED, histories: HISTORIES });

    expect(errors).toEqual([]);
    for (const what of CAME_ABOUT) expect(tally).toHaveProperty([what]);
  }, 120_000);
});
