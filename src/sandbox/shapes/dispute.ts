/** The `dispute` object. */

import type { Metadata } from './metadata.ts';

export const EVIDENCE_FIELDS = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const;

/** They take the id of an uploaded file. */
export const FILE_FIELDS = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const satisfies readonly (typeof EVIDENCE_FIELDS)[number][];

export type EvidenceField = (typeof EVIDENCE_FIELDS)[number];

export type DisputeReason = 'fraudulent' | 'general' | 'product_not_received';

export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
  | 'prevented';

/** The card network's case type. `resolution` means prevented with a refund. */
export type DisputeCaseType = 'inquiry' | 'chargeback' | 'resolution';

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  /** Complete balance transactions, the withdrawal first. Empty until funds move. */
  balance_transactions: object[];
  charge: string;
  created: number;
  currency: 'usd';
  enhanced_eligibility_types: [];
  evidence: Record<EvidenceField, string | null> & { enhanced_evidence: Record<string, never> };
  evidence_details: {
    due_by: number | null;
    enhanced_eligibility: Record<string, never>;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
    submission_method: 'manual' | 'not_submitted';
  };
  intended_submission_method: string | null;
  is_charge_refundable: boolean;
  livemode: false;
  metadata: Metadata;
  network_reason_code: string | null;
  payment_intent: string;
  /** Absent for bank account payments. */
  payment_method_details?: {
    card: { brand: string; case_type: DisputeCaseType; network: string; network_reason_code: string | null };
    type: 'card';
  };
  reason: DisputeReason;
  status: DisputeStatus;
}
