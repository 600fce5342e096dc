import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

/** Two releases side by side: `npm run upgrade:rehearse`. */
export default defineConfig({
  root,
  test: {
    globalSetup: ['tests/support/test-database.ts'],
    include: ['tests/upgrade/**/*.upgrade.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    maxWorkers: 1,
  },
});
