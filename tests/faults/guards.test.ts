import { expect, it } from 'vitest';
import { guards } from './guards/guards.ts';
import { runHistoriesWithout } from './guards/run-without.ts';

/** One guard here; `npm run faults` covers all of them. */
const NAME = 'the stock of a reservation is released once';

it(`the histories detect a missing guard: ${NAME}`, async () => {
  const edits = guards.find(({ name }) => name === NAME)?.edits ?? [];

  const { isRed, output } = await runHistoriesWithout(edits, { seed: 20_261_121, histories: 5, batches: 1 });

  expect(isRed).toBe(true);
  // Reported by an invariant, unless a database constraint fails first.
  expect(output).toMatch(/stock-is-what-exists|never_oversold/);
});
