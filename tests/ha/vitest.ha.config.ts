import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

/** Installations of several machines, on loopback: `npm run ha`. */
export default defineConfig({
  root,
  test: {
    globalSetup: ['tests/support/test-database.ts'],
    include: ['tests/ha/**/*.ha.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    maxWorkers: 1,
  },
});
