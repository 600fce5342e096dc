/** `npm run mutation` mutates every rule, and the server's decisions about money and stock that need no database. */
export default {
  mutate: [
    'src/domain/**/*.ts',
    'src/server/payments/checkout/{queue-token,poll-throttle}.ts',
    'src/server/orders/read-cart.ts',
    'src/server/ledger/record-*.ts',
    'src/server/payments/payouts/{statement-reply,statement-sums}.ts',
    'src/server/payments/refunds/refund-token.ts',
    '!**/*.test.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'tests/mutation/vitest.mutation.config.ts' },
  // Only what the tests read is copied to the sandbox.
  ignorePatterns: ['**', '!/package.json', '!/tsconfig.base.json', '!/src/**', '!/tests/mutation/**'],
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  concurrency: 1,
};
