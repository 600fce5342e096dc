import { defineConfig } from 'vitest/config';

/** Fast tests without a database or a browser, run once per mutant. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'src/domain/**/*.test.ts',
      'src/server/payments/checkout/{queue-token,poll-throttle}.test.ts',
      'src/server/ledger/entries.test.ts',
      'src/server/payments/payouts/statement-{sums,reply}.test.ts',
      'src/server/payments/refunds/refund-token.test.ts',
    ],
  },
});
