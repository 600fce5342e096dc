import { defineConfig } from 'vitest/config';

/** Measures how the product stands a crowd, so nothing else may take its share of the machine. */
const ALONE = 'tests/security/overload.test.ts';
/** Replaces a module of a library, which another file may have loaded. */
const ISOLATED = 'tests/security/public-login.test.ts';

const limits = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  maxWorkers: 3,
  // Each file has its own app, so that one process can serve many: loading the product is half of what a file takes.
  isolate: false,
  // What is waited for may come late on a slow machine; a test whose point is a time says so itself.
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    // The files run as Node runs them, without a transformation: what is tested is what is started.
    experimental: { viteModuleRunner: false },
    globalSetup: ['tests/support/test-database.ts'],
    projects: [
      {
        test: {
          ...limits,
          name: 'side by side',
          include: ['src/**/*.test.ts', 'bench/*.test.ts', 'tests/{ports,house,faults,money,security}/**/*.test.ts'],
          exclude: [ALONE, ISOLATED],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: { ...limits, name: 'isolated', isolate: true, include: [ISOLATED], sequence: { groupOrder: 1 } },
      },
      { test: { ...limits, name: 'alone', include: [ALONE], sequence: { groupOrder: 2 } } },
    ],
  },
});
