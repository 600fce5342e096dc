import { describe, expect, it } from 'vitest';
import { runSeed } from './two-servers/run-seed.ts';

/** The ordinary tests run one seed; `npm run faults` runs twenty, with every fault. */
describe('two servers on one database', () => {
  it('lose nothing when one is killed during sales, check-in and refunds', async () => {
    const { errors, tally } = await runSeed({
      seed: 20_261_121,
      faultsEach: 1,
      only: ['a server is killed'],
    });

    expect(errors).toEqual([]);
    for (const what of ['checkout done', 'scan done', 'refund done']) expect(tally).toHaveProperty([what]);
  });
});
