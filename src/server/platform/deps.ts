/** The dependencies of use cases. Each takes only the ones it needs: `Pick<Deps, 'db' | 'clock'>`. */
import type { Logger } from 'pino';
import type { PayoutBrakes } from '#domain/payouts/brakes.ts';
import type { RefundCosts } from '#domain/payouts/refund-costs.ts';
import type { NetworkLimits } from './client-network.ts';
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
import type { Wallets } from './ports/wallets.ts';
import type { WebhookSender } from './ports/webhook-sender.ts';
import type { AppSecret } from './secrets.ts';

export interface Deps {
  db: Db;
  paymentProcessor: PaymentProcessor;
  payoutAccounts: PayoutAccounts;
  balanceTransactions: BalanceTransactions;
  mailer: Mailer;
  geocoder: Geocoder;
  photos: PhotoStore;
  erasures: ErasureLog;
  clock: Clock;
  changes: Changes;
  rateLimiter: RateLimiter;
  wallets: Wallets;
  webhooks: WebhookSender;
  /** Payments are real: what the sandbox warns of is refused. */
  takesRealMoney: boolean;
  networkLimits: NetworkLimits;
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitScale: number;
  /** Origin of every link in emails and at Stripe, without a trailing slash. */
  publicUrl: string;
  /** Every other key is derived from it: tokens, grants, encrypted tax IDs. */
  appSecret: AppSecret;
  /** Payment pages that all servers together may open a second; null: no limit. */
  pagesPerSecond: number | null;
  /** Delay before a refund is sent, during which the buyer can withdraw it. */
  refundDelayMinutes: number;
  /** Of events that are created from now on. */
  refundCosts: RefundCosts;
  payoutBrakes: PayoutBrakes;
  /** `/trust` shows what is owed and what Stripe holds. */
  publishesFunds: boolean;
  /** Null: alerts are only listed. */
  alertEmail: string | null;
  /** Names of the doctor's checks that fail. */
  findFailedChecks: () => Promise<string[]>;
  log: Logger;
}
