/**
 * Disputes. Opening one withdraws the amount and a fee; winning it reinstates the amount but not the fee. An inquiry moves
 * no funds, and the charge stays refundable.
 */

import { invalidRequest, resourceMissing } from '#sandbox/api/errors.ts';
import {
  type BalanceTransactionInput,
  findBalanceTransaction,
  recordBalanceTransaction,
} from '#sandbox/money/balances.ts';
import { findObject, findObjectsBy, insertObject, lockObject, type Stored, saveObject } from '#sandbox/objects.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';
import type { Dispute, DisputeReason, DisputeStatus, EvidenceField } from '#sandbox/shapes/dispute.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import { newDispute } from './new-dispute.ts';
import { refundCharge } from './refunds.ts';

const DISPUTE_FEE_CENTS = 15_00;

export type DisputeKind = 'chargeback' | 'inquiry' | 'prevented';
export type DisputeOutcome = 'won' | 'lost';

const CLOSED_STATUSES: readonly DisputeStatus[] = ['won', 'lost', 'warning_closed', 'prevented'];
const isClosed = ({ status }: Dispute) => CLOSED_STATUSES.includes(status);
const isInquiry = ({ status }: Dispute) => status === 'warning_needs_response' || status === 'warning_under_review';

/** Lock order: charge, then dispute. */
export async function lockDispute(
  ctx: OperationContext,
  id: string,
): Promise<{ charge: Stored<'charge'>; dispute: Stored<'dispute'> }> {
  const unlocked = await findObject(ctx, 'dispute', id);
  const charge = unlocked && (await lockObject(ctx, 'charge', unlocked.body.charge));
  const dispute = charge && (await lockObject(ctx, 'dispute', id));
  if (!charge || !dispute) throw resourceMissing('dispute', id, 'dispute');
  return { charge, dispute };
}

/** Requires the lock on the charge. */
export async function openDispute(
  ctx: OperationContext,
  charge: Stored<'charge'>,
  { kind, reason }: { kind: DisputeKind; reason: DisputeReason },
): Promise<Dispute> {
  const amount = charge.body.amount - charge.body.amount_refunded;
  if (!charge.body.paid || amount === 0) throw disputeError(`Charge ${charge.body.id} has no funds to dispute.`);
  const existing = await findObjectsBy(ctx, 'dispute', 'charge', charge.body.id);
  if (existing.some(({ body }) => body.status !== 'warning_closed')) {
    throw disputeError(`Charge ${charge.body.id} has already been disputed.`);
  }
  if (kind === 'prevented') await refundCharge(ctx, charge, { amount, reason: null, metadata: {} });

  charge.body.disputed = true;
  await saveObject(ctx, charge);
  const caseType = kind === 'prevented' ? 'resolution' : kind;
  const body = newDispute(ctx, charge.body, { caseType, reason, amount });
  if (kind === 'chargeback') await withdrawFunds(ctx, body);
  await insertObject<'dispute'>(ctx, body, {});
  await emitEvent(ctx, 'charge.dispute.created', body);
  if (kind === 'chargeback') await emitEvent(ctx, 'charge.dispute.funds_withdrawn', body);
  if (kind === 'prevented') await emitEvent(ctx, 'charge.dispute.closed', body);
  return body;
}

/** Turns an inquiry into a chargeback. Requires both locks. */
export async function escalateInquiry(
  ctx: OperationContext,
  dispute: Stored<'dispute'>,
  charge: Stored<'charge'>,
): Promise<void> {
  const { body } = dispute;
  if (!isInquiry(body)) throw disputeError(`Dispute ${body.id} is not an open inquiry.`);
  const amount = charge.body.amount - charge.body.amount_refunded;
  if (amount === 0) throw disputeError(`Charge ${charge.body.id} has no funds to dispute.`);
  const previous = { amount: body.amount, is_charge_refundable: true, status: body.status };
  Object.assign(body, { amount, is_charge_refundable: false, status: 'needs_response' } satisfies Partial<Dispute>);
  if (body.payment_method_details) body.payment_method_details.card.case_type = 'chargeback';
  await withdrawFunds(ctx, body);
  await saveObject(ctx, dispute);
  await emitEvent(ctx, 'charge.dispute.updated', body, { previous });
  await emitEvent(ctx, 'charge.dispute.funds_withdrawn', body);
}

/** Stages evidence without submitting it. */
export function stageEvidence({ body }: Stored<'dispute'>, evidence: Partial<Record<EvidenceField, string>>): void {
  if (!needsResponse(body))
    throw disputeError(`Dispute ${body.id} is ${body.status}; its evidence can no longer be changed.`);
  for (const [field, value] of Object.entries(evidence)) {
    // An empty value clears the field.
    Object.assign(body.evidence, { [field]: value === '' ? null : value });
  }
  body.evidence_details.has_evidence ||= Object.values(evidence).some((value) => value !== '');
}

/**
 * Submits evidence. Stripe's test values close or escalate the dispute at once; anything else stays under review.
 * Requires the locks on the dispute and its charge.
 */
export async function submitEvidence(
  ctx: OperationContext,
  dispute: Stored<'dispute'>,
  charge: Stored<'charge'>,
): Promise<void> {
  const { body } = dispute;
  if (!needsResponse(body))
    throw disputeError(`Dispute ${body.id} is ${body.status}; evidence can no longer be submitted.`);
  const previous = { status: body.status };
  body.status = isInquiry(body) ? 'warning_under_review' : 'under_review';
  body.evidence_details.submission_count += 1;
  body.evidence_details.submission_method = 'manual';
  await saveObject(ctx, dispute);
  await emitEvent(ctx, 'charge.dispute.updated', body, { previous });

  const text = body.evidence.uncategorized_text;
  if (text === 'winning_evidence') await closeDispute(ctx, dispute, 'won');
  else if (text === 'losing_evidence') await closeDispute(ctx, dispute, 'lost');
  else if (text === 'escalate_inquiry_evidence' && isInquiry(body)) await escalateInquiry(ctx, dispute, charge);
}

/** Closes a dispute. An inquiry closes without a winner. Requires the lock on the dispute. */
export async function closeDispute(
  ctx: OperationContext,
  dispute: Stored<'dispute'>,
  outcome: DisputeOutcome,
): Promise<void> {
  const { body } = dispute;
  if (isClosed(body)) throw disputeError('This dispute is already closed.');
  const previous = { status: body.status };
  const isWon = outcome === 'won' && !isInquiry(body);
  body.status = isInquiry(body) ? 'warning_closed' : outcome;
  if (isWon) {
    body.is_charge_refundable = true;
    await recordAdjustment(ctx, body, {
      amount: body.amount,
      reportingCategory: 'dispute_reversal',
      description: `Chargeback reversal for ${body.charge}`,
    });
  }
  await saveObject(ctx, dispute);
  await emitEvent(ctx, 'charge.dispute.closed', body, { previous });
  if (isWon) await emitEvent(ctx, 'charge.dispute.funds_reinstated', body);
}

const needsResponse = ({ status }: Dispute) => status === 'needs_response' || status === 'warning_needs_response';

const withdrawFunds = (ctx: OperationContext, body: Dispute) =>
  recordAdjustment(ctx, body, {
    amount: -body.amount,
    fee: DISPUTE_FEE_CENTS,
    reportingCategory: 'dispute',
    description: `Chargeback withdrawal for ${body.charge}`,
  });

async function recordAdjustment(
  ctx: OperationContext,
  body: Dispute,
  input: Pick<BalanceTransactionInput, 'amount' | 'fee' | 'reportingCategory' | 'description'>,
): Promise<void> {
  const id = await recordBalanceTransaction(ctx, { account: null, type: 'adjustment', source: body.id, ...input });
  const transaction = await findBalanceTransaction(ctx, id);
  if (transaction) body.balance_transactions.push(transaction);
}

const disputeError = (message: string) => invalidRequest(message);
