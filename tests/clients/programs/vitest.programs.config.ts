import { defineConfig } from 'vitest/config';

const root = new URL('../../..', import.meta.url).pathname;

/** Programs that are not ours: `npm run programs`. */
export default defineConfig({
  root,
  test: {
    experimental: { viteModuleRunner: false },
    globalSetup: ['tests/support/test-database.ts'],
    include: ['tests/clients/programs/*.programs.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
