import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

/** Installs the product from nothing, as the operator's guide says: `npm run installation`. */
export default defineConfig({
  root,
  test: {
    include: ['tests/installation/**/*.installation.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    maxWorkers: 1,
  },
});
