/** The card company's own records, read to find what its notices did not tell us. */
import type { CheckoutSession, ProcessorDispute, ProcessorRefundState } from './payment-processor.ts';

export interface BalanceTransactions {
  /** Checkouts opened since then that were completed, also when nobody told us. */
  completedCheckouts(since: Date): AsyncIterable<CheckoutSession>;
  /** Refunds and disputes made since then, as they stand now. */
  touchedPayments(since: Date): AsyncIterable<TouchedPayment>;
  /** Every change of the platform's balance since then. */
  movements(since: Date): AsyncIterable<BalanceTransaction>;
}

export type TouchedPayment = { paymentId: string } & ({ refund: ProcessorRefundState } | { dispute: ProcessorDispute });

export interface BalanceTransaction {
  movementId: string;
  /** In the card company's word, such as `charge`. */
  type: string;
  /** The payment or the transfer that it belongs to; both null for what is none of the product's. */
  paymentId: string | null;
  transferId: string | null;
  /** What it did to the balance, the card company's fee already taken off. */
  netCents: number;
  at: Date;
}
