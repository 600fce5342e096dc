/** `npm run mutation` mutates the domain rules, and the server's money and stock decisions that need no database. */
export default {
  mutate: [
    'src/domain/**/*.ts',
    'src/server/payments/checkout/{queue-token,poll-throttle}.ts',
    'src/server/ledger/record-*.ts',
    'src/server/payments/payouts/{statement-reply,statement-sums}.ts',
    'src/server/payments/refunds/refund-token.ts',
    '!**/*.test.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'tests/mutation/vitest.mutation.config.ts' },
  // Copies only what the tests read.
  ignorePatterns: ['**', '!/package.json', '!/tsconfig.base.json', '!/src/**', '!/tests/mutation/**'],
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  concurrency: 1,
};
