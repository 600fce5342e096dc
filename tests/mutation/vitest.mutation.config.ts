import { defineConfig } from 'vitest/config';

/** Fast tests without a database or a browser, run once per mutant. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'src/domain/*.test.ts',
      'src/server/checkout/{read-cart,held-handle,rare-looks}.test.ts',
      'src/server/ledger/entries.test.ts',
      'src/server/payouts/statement-{sums,reply}.test.ts',
      'src/server/refunds/refund-token.test.ts',
    ],
  },
});
