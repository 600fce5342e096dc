import { defineConfig } from 'vitest/config';

/** Measures how the product stands a crowd, so nothing else may take its share of the machine. */
const LOAD = 'tests/security/overload.test.ts';
/** Get a process each: one replaces a module that other files load, one measures all code that runs in its process. */
const ISOLATED = ['tests/security/public-login.test.ts', 'tests/house/walks.test.ts'];

const limits = {
  // These end what hangs, on the slowest machine too: they judge no speed, and no test needs its own.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: 3,
  // Each file has its own app, so one process can run many files: loading the app is half of a file's time.
  isolate: false,
  expect: { poll: { timeout: 60_000 } },
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
          include: [
            'src/**/*.test.ts',
            'clients/typescript/src/**/*.test.ts',
            'bench/*.test.ts',
            'tests/{backup,clients,ports,house,faults,money,security}/**/*.test.ts',
          ],
          exclude: [LOAD, ...ISOLATED],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: { ...limits, name: 'isolated', isolate: true, include: ISOLATED, sequence: { groupOrder: 1 } },
      },
      { test: { ...limits, name: 'load', include: [LOAD], sequence: { groupOrder: 2 } } },
    ],
  },
});
