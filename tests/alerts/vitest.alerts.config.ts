import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

/** Real faults before a real Prometheus: `npm run alerts`. */
export default defineConfig({
  root,
  test: {
    globalSetup: ['tests/support/test-database.ts'],
    include: ['tests/alerts/**/*.alerts.ts'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    maxWorkers: 1,
  },
});
