import { expect, it } from 'vitest';
import { guards } from './guards/guards.ts';
import { tellWithout } from './guards/run-without.ts';

/** Here one guard is enough; `npm run faults` takes away all of them. */
const NAME = 'the stock of a hold is given back once';

it(`the histories find out that it is not so: ${NAME}`, async () => {
  const edits = guards.find(({ name }) => name === NAME)?.edits ?? [];

  const { isRed, words } = await tellWithout(edits, { seed: 20_261_121, histories: 5, batches: 1 });

  expect(isRed).toBe(true);
  // The books say so, unless the database does before.
  expect(words).toMatch(/stock-is-what-exists|never_oversold/);
}, 120_000);
