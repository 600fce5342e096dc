import { defineConfig } from 'vitest/config';

/** What takes minutes: `npm run faults`. The ordinary tests run a small part of the same. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['tests/faults/**/*.faults.ts'],
    globalSetup: ['tests/support/test-database.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    expect: { poll: { timeout: 20_000 } },
  },
});
