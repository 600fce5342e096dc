/** The payment processor's records, read to find what its webhook events missed. */
import type { CheckoutSession, ProcessorDispute, ProcessorRefundState } from './payment-processor.ts';

export interface BalanceTransactions {
  /** Completed checkouts among those opened since then. */
  completedCheckouts(since: Date): AsyncIterable<CheckoutSession>;
  /** Refunds and disputes created since then, in their current state. */
  touchedPayments(since: Date): AsyncIterable<TouchedPayment>;
  /** Every change to the platform's balance since then. */
  movements(since: Date): AsyncIterable<BalanceTransaction>;
  /** The platform's balance in cents, including what is not available yet. */
  balance(): Promise<number>;
}

export type TouchedPayment = { paymentId: string } & ({ refund: ProcessorRefundState } | { dispute: ProcessorDispute });

export interface BalanceTransaction {
  movementId: string;
  /** The processor's own type, such as `charge`. */
  type: string;
  /** The payment or transfer it belongs to. Both null: unrelated to the product. */
  paymentId: string | null;
  transferId: string | null;
  /** Change to the balance, net of the processor's fee. */
  netCents: number;
  at: Date;
}
