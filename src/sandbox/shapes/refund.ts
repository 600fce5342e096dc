/** The `refund` object. */

import type { Metadata } from './metadata.ts';

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  balance_transaction: string | null;
  charge: string;
  created: number;
  currency: 'usd';
  customer: null;
  customer_account: null;
  destination_details:
    | { type: 'card'; card: { reference_status: 'pending'; reference_type: string; type: 'refund' } }
    | { type: 'us_bank_transfer'; us_bank_transfer: { reference: null; reference_status: 'pending' } };
  failure_balance_transaction?: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  payment_method: string;
  pending_reason?: 'processing' | 'insufficient_funds';
  reason: string | null;
  receipt_number: null;
  source_transfer_reversal: null;
  status: 'pending' | 'succeeded' | 'failed';
  transfer_reversal: null;
}

/** The refund takes the status `becomes` at `settlesAt`. */
export interface RefundInside {
  settlesAt: number | null;
  becomes: 'succeeded' | 'failed';
}
