/** The card company's own records, read to find what its notices did not tell us. */
import type { CheckoutSession, ProviderDispute, ProviderRefund } from './payment-processor.ts';

export interface ProviderBooks {
  /** Checkouts opened since then that were completed, also when nobody told us. */
  completedCheckouts(since: Date): AsyncIterable<CheckoutSession>;
  /** Refunds and disputes made since then, as they stand now. */
  touchedPayments(since: Date): AsyncIterable<TouchedPayment>;
  /** Every change of the platform's balance since then. */
  movements(since: Date): AsyncIterable<ProviderMovement>;
}

export type TouchedPayment = { paymentId: string } & ({ refund: ProviderRefund } | { dispute: ProviderDispute });

export interface ProviderMovement {
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
