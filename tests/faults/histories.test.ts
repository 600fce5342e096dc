import { describe, expect, it } from 'vitest';
import { runBatch } from './histories/run-histories.ts';

/** The ordinary tests run a few dozen histories; `npm run faults` runs thousands. */
const SEED = 20_261_121;
const HISTORIES = 20;
/** Of payouts, lost disputes and what they take, many come about, however the steps interleave. */
const BUSY_SEED = 32;

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
    const { errors, tally } = await runBatch({
      seed: SEED,
      histories: HISTORIES,
      payoutBrakes: {},
      refundCosts: 'platform',
      hasOperator: false,
    });

    expect(errors).toEqual([]);
    for (const what of CAME_ABOUT) expect(tally).toHaveProperty([what]);
  });

  it('pay every organization what it is owed, later but never less, under every brake [BRAKE-1 BRAKE-2 BRAKE-3 BRAKE-4]', async () => {
    const payoutBrakes = { firstDelayDays: 2, firstCapCents: 5_00, reservePercent: 25, reserveDays: 3 };
    const { errors, tally } = await runBatch({
      seed: BUSY_SEED,
      histories: 2 * HISTORIES,
      payoutBrakes,
      refundCosts: 'platform',
      hasOperator: true,
      eventsEach: 2,
    });

    expect(errors).toEqual([]);
    for (const what of [
      'payouts paid',
      'disputes lost',
      'held parts paid',
      'stopped sales',
      'held payouts',
      'suspension',
    ])
      expect(tally).toHaveProperty([what]);
  });

  it('charge organizers the lost card fees of refunds, from payouts and as debts of cancelled events [POLICY-8]', async () => {
    const { errors, tally } = await runBatch({
      seed: SEED + 8,
      histories: HISTORIES,
      payoutBrakes: {},
      refundCosts: 'organizer',
      hasOperator: false,
    });

    expect(errors).toEqual([]);
    for (const account of ['organizer-payable', 'receivables'])
      expect(tally).toHaveProperty([`refund costs from ${account}`]);
  });
});
