/** What use cases may reach. Each takes only the parts that it needs: `Pick<Deps, 'db' | 'clock'>`. */
import type { Logger } from 'pino';
import type { Db } from './database.ts';
import type { BalanceTransactions } from './ports/balance-transactions.ts';
import type { Changes } from './ports/changes.ts';
import type { Clock } from './ports/clock.ts';
import type { ErasureLog } from './ports/erasure-log.ts';
import type { Geocoder } from './ports/geocoder.ts';
import type { Mailer } from './ports/mailer.ts';
import type { PaymentProcessor } from './ports/payment-processor.ts';
import type { PayoutAccounts } from './ports/payout-accounts.ts';
import type { PhotoStore } from './ports/photo-store.ts';
import type { RateLimiter } from './ports/rate-limiter.ts';

export interface Deps {
  db: Db;
  cards: PaymentProcessor;
  payoutAccounts: PayoutAccounts;
  books: BalanceTransactions;
  mailer: Mailer;
  geocoder: Geocoder;
  photos: PhotoStore;
  erasures: ErasureLog;
  clock: Clock;
  changes: Changes;
  tries: RateLimiter;
  /** Origin of every link that leaves the product, without a trailing slash. */
  publicUrl: string;
  /** Root of every key that the product derives: tokens, grants, sealed tax ids. */
  appSecret: string;
  /** How many payment pages may be opened a second, by all servers together; null: as many as are wanted. */
  pagesPerSecond: number | null;
  /** How long a refund is held back, so that a buyer who did not ask for it can take it back. */
  refundDelayMinutes: number;
  log: Logger;
}
