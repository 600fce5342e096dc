/** Builds a new dispute, before any evidence or balance transaction. */

import { newId } from '#sandbox/ids.ts';
import { type OperationContext, timestamp } from '#sandbox/operation-context.ts';
import type { Charge } from '#sandbox/shapes/charge.ts';
import {
  type Dispute,
  type DisputeCaseType,
  type DisputeReason,
  type DisputeStatus,
  EVIDENCE_FIELDS,
} from '#sandbox/shapes/dispute.ts';

const RESPONSE_SECONDS = 21 * 24 * 60 * 60;

const INITIAL_STATUS: Record<DisputeCaseType, DisputeStatus> = {
  inquiry: 'warning_needs_response',
  chargeback: 'needs_response',
  resolution: 'prevented',
};

/** Visa's codes. Other networks use different ones; only `reason` affects behavior. */
const NETWORK_REASON_CODES: Record<DisputeReason, string | null> = {
  fraudulent: '10.4',
  product_not_received: '13.1',
  general: null,
};

export function newDispute(
  ctx: OperationContext,
  charge: Charge,
  { caseType, reason, amount }: { caseType: DisputeCaseType; reason: DisputeReason; amount: number },
): Dispute {
  const network_reason_code = NETWORK_REASON_CODES[reason];
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: timestamp(ctx),
    currency: 'usd',
    enhanced_eligibility_types: [],
    evidence: prefilledEvidence(charge),
    evidence_details: {
      due_by: caseType === 'resolution' ? null : timestamp(ctx) + RESPONSE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: caseType === 'inquiry',
    livemode: false,
    metadata: {},
    network_reason_code,
    payment_intent: charge.payment_intent,
    ...cardDetails(charge, caseType, network_reason_code),
    reason,
    status: INITIAL_STATUS[caseType],
  };
}

/** Stripe prefills what it knows about the buyer, which does not set `has_evidence`. */
function prefilledEvidence({ billing_details }: Charge): Dispute['evidence'] {
  const buyerFields: Record<string, string | null> = {
    customer_email_address: billing_details.email,
    customer_name: billing_details.name,
  };
  const fields = Object.fromEntries(EVIDENCE_FIELDS.map((field) => [field, buyerFields[field] ?? null]));
  // `fromEntries` loses the keys; every evidence field is present.
  return { ...(fields as Record<(typeof EVIDENCE_FIELDS)[number], string | null>), enhanced_evidence: {} };
}

function cardDetails(
  { payment_method_details: details }: Charge,
  case_type: DisputeCaseType,
  network_reason_code: string | null,
): Pick<Dispute, 'payment_method_details'> {
  if (details.type !== 'card') return {};
  const { brand, network } = details.card;
  return { payment_method_details: { card: { brand, case_type, network, network_reason_code }, type: 'card' } };
}
