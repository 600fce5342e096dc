import { defineConfig } from 'vitest/config';

/** Measures how the product stands a crowd, so nothing else may take its share of the machine. */
const ALONE = 'tests/security/overload.test.ts';
/** Replaces a module of a library, which another file may have loaded. */
const ISOLATED = 'tests/security/public-login.test.ts';

const limits = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  maxWorkers: 3,
  // Each file has its own app, so one process can run many files: loading the app is half of a file's time.
  isolate: false,
  // Generous for slow machines; a test about timing sets its own limit.
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    // Runs files as Node does, without a transform: the tested code is the shipped code.
    experimental: { viteModuleRunner: false },
    globalSetup: ['tests/support/test-database.ts'],
    projects: [
      {
        test: {
          ...limits,
          name: 'parallel',
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
