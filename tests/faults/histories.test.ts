import { describe, expect, it } from 'vitest';
import { runBatch } from './histories/run-histories.ts';

/** The ordinary tests tell a few dozen; `npm run faults` tells thousands. */
const SEED = 20_261_121;
const HISTORIES = 20;

/** A batch in which nothing happens is no proof. */
const CAME_ABOUT = [
  'orders paid',
  'orders expired',
  'orders unfillable',
  'tickets scanned',
  'refunds sent',
  'payouts paid',
];

describe('random histories', () => {
  it('leave the money where it belongs', async () => {
    const { findings, tally } = await runBatch({ seed: SEED, histories: HISTORIES });

    expect(findings).toEqual([]);
    for (const what of CAME_ABOUT) expect(tally).toHaveProperty([what]);
  }, 120_000);
});
