import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'bench/*.test.ts', 'tests/{ports,house,faults,money}/**/*.test.ts'],
    globalSetup: ['tests/support/test-database.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
