import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

/** The restore of a database under load: `npm run restore:drill`. */
export default defineConfig({
  root,
  test: {
    globalSetup: ['tests/support/test-database.ts'],
    include: ['tests/backup/**/*.drill.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    maxWorkers: 1,
  },
});
