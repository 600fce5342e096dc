import { defineConfig } from 'vitest/config';

/** Two servers under load each, held to seconds: side by side they would measure one another, and not the product. */
const ALONE = 'tests/faults/{two-servers-*,clock-skew}.faults.ts';

const root = new URL('../..', import.meta.url).pathname;
const limits = { root, testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 20_000 } } };

/** What takes minutes: `npm run faults`. The ordinary tests run a small part of the same. */
export default defineConfig({
  root,
  test: {
    globalSetup: ['tests/support/test-database.ts'],
    projects: [
      {
        test: {
          ...limits,
          name: 'side by side',
          include: ['tests/faults/**/*.faults.ts'],
          exclude: [ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...limits, name: 'alone', include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
});
