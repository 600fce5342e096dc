/** The `payout` object. */

import type { Metadata } from './metadata.ts';

export interface Payout {
  id: string;
  object: 'payout';
  amount: number;
  application_fee: null;
  application_fee_amount: null;
  arrival_date: number;
  automatic: boolean;
  balance_transaction: string;
  created: number;
  currency: 'usd';
  description: string | null;
  destination: null;
  failure_balance_transaction: string | null;
  failure_code: 'account_closed' | null;
  failure_message: string | null;
  livemode: false;
  metadata: Metadata;
  method: 'standard';
  original_payout: null;
  payout_method: null;
  reconciliation_status: 'not_applicable' | 'in_progress' | 'completed';
  reversed_by: null;
  source_type: 'card';
  statement_descriptor: string | null;
  status: 'pending' | 'paid' | 'failed';
  trace_id: null;
  type: 'bank_account';
}

/** The bank accepts or rejects the payout at `settlesAt`. */
export interface PayoutInside {
  settlesAt: number | null;
}
