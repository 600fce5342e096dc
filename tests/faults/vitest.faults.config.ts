import { defineConfig } from 'vitest/config';

/** Two servers under load each, with time limits. In parallel they would slow each other down. */
const ALONE = 'tests/faults/{two-servers-*,clock-skew}.faults.ts';

const root = new URL('../..', import.meta.url).pathname;
const limits = { root, testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** Tests that take minutes: `npm run faults`. The ordinary tests run a small part of them. */
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
