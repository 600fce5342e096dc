/**
 * A buyer's bank asks for its money back. The money leaves the balance when the dispute opens, and comes back when it is
 * won; the fee stays. An inquiry is only a question: nothing moves, and the charge can still be refunded.
 */

import { invalidRequest, noSuch } from './api/errors.ts';
import { tell } from './events.ts';
import { findBalanceTransaction, type Posting, post } from './balances.ts';
import { newDispute } from './new-dispute.ts';
import { findObject, insertObject, type Kept, lockObject, objectsWhere, saveObject } from './objects.ts';
import { refundCharge } from './refunds.ts';
import type { Dispute, DisputeReason, DisputeStatus, EvidenceField } from './shapes/dispute.ts';
import type { Work } from './operation-context.ts';

const FEE_CENTS = 15_00;

export type DisputeKind = 'chargeback' | 'inquiry' | 'prevented';
export type DisputeEnd = 'won' | 'lost';

const OVER: readonly DisputeStatus[] = ['won', 'lost', 'warning_closed', 'prevented'];
const isOver = ({ status }: Dispute) => OVER.includes(status);
const isInquiry = ({ status }: Dispute) => status === 'warning_needs_response' || status === 'warning_under_review';

/** The charge's row first, as everything does that changes both. */
export async function lockDispute(
  work: Work,
  id: string,
): Promise<{ charge: Kept<'charge'>; dispute: Kept<'dispute'> }> {
  const known = await findObject(work, 'dispute', id);
  const charge = known && (await lockObject(work, 'charge', known.body.charge));
  const dispute = charge && (await lockObject(work, 'dispute', id));
  if (!charge || !dispute) throw noSuch('dispute', id, 'dispute');
  return { charge, dispute };
}

/** The caller holds the charge's row. */
export async function openDispute(
  work: Work,
  charge: Kept<'charge'>,
  { kind, reason }: { kind: DisputeKind; reason: DisputeReason },
): Promise<Dispute> {
  const amount = charge.body.amount - charge.body.amount_refunded;
  if (!charge.body.paid || amount === 0)
    throw refused(`Charge ${charge.body.id} holds no money that could be disputed.`);
  const earlier = await objectsWhere(work, 'dispute', 'charge', charge.body.id);
  if (earlier.some(({ body }) => body.status !== 'warning_closed')) {
    throw refused(`Charge ${charge.body.id} has been disputed already.`);
  }
  if (kind === 'prevented') await refundCharge(work, charge, { amount, reason: null, metadata: {} });

  charge.body.disputed = true;
  await saveObject(work, charge);
  const caseType = kind === 'prevented' ? 'resolution' : kind;
  const body = newDispute(work, charge.body, { caseType, reason, amount });
  if (kind === 'chargeback') await withdraw(work, body);
  await insertObject<'dispute'>(work, body, {});
  await tell(work, 'charge.dispute.created', body);
  if (kind === 'chargeback') await tell(work, 'charge.dispute.funds_withdrawn', body);
  if (kind === 'prevented') await tell(work, 'charge.dispute.closed', body);
  return body;
}

/** The buyer's bank was not content with the answer: the question becomes a withdrawal. The caller holds both rows. */
export async function escalateInquiry(work: Work, dispute: Kept<'dispute'>, charge: Kept<'charge'>): Promise<void> {
  const { body } = dispute;
  if (!isInquiry(body)) throw refused(`Dispute ${body.id} is not an open inquiry.`);
  const amount = charge.body.amount - charge.body.amount_refunded;
  if (amount === 0) throw refused(`Charge ${charge.body.id} holds no money that could be disputed.`);
  const previous = { amount: body.amount, is_charge_refundable: true, status: body.status };
  Object.assign(body, { amount, is_charge_refundable: false, status: 'needs_response' } satisfies Partial<Dispute>);
  if (body.payment_method_details) body.payment_method_details.card.case_type = 'chargeback';
  await withdraw(work, body);
  await saveObject(work, dispute);
  await tell(work, 'charge.dispute.updated', body, { previous });
  await tell(work, 'charge.dispute.funds_withdrawn', body);
}

/** Keeps what is said in the seller's favour, without handing it in. */
export function stageEvidence({ body }: Kept<'dispute'>, evidence: Partial<Record<EvidenceField, string>>): void {
  if (!needsResponse(body))
    throw refused(`Dispute ${body.id} is ${body.status}; its evidence can no longer be changed.`);
  for (const [field, value] of Object.entries(evidence)) {
    // An empty value takes back what was staged.
    Object.assign(body.evidence, { [field]: value === '' ? null : value });
  }
  body.evidence_details.has_evidence ||= Object.values(evidence).some((value) => value !== '');
}

/**
 * Hands the evidence to the bank. Stripe's own test words decide at once; anything else stays under review until somebody
 * decides. The caller holds the rows of the dispute and of its charge.
 */
export async function submitEvidence(work: Work, dispute: Kept<'dispute'>, charge: Kept<'charge'>): Promise<void> {
  const { body } = dispute;
  if (!needsResponse(body)) throw refused(`Dispute ${body.id} is ${body.status}; evidence can no longer be submitted.`);
  const previous = { status: body.status };
  body.status = isInquiry(body) ? 'warning_under_review' : 'under_review';
  body.evidence_details.submission_count += 1;
  body.evidence_details.submission_method = 'manual';
  await saveObject(work, dispute);
  await tell(work, 'charge.dispute.updated', body, { previous });

  const said = body.evidence.uncategorized_text;
  if (said === 'winning_evidence') await endDispute(work, dispute, 'won');
  else if (said === 'losing_evidence') await endDispute(work, dispute, 'lost');
  else if (said === 'escalate_inquiry_evidence' && isInquiry(body)) await escalateInquiry(work, dispute, charge);
}

/** The bank has decided, or the seller has given in. An inquiry ends without either having won. The caller holds the row. */
export async function endDispute(work: Work, dispute: Kept<'dispute'>, how: DisputeEnd): Promise<void> {
  const { body } = dispute;
  if (isOver(body)) throw refused('This dispute is already closed.');
  const previous = { status: body.status };
  const isWon = how === 'won' && !isInquiry(body);
  body.status = isInquiry(body) ? 'warning_closed' : how;
  if (isWon) {
    body.is_charge_refundable = true;
    await book(work, body, {
      amount: body.amount,
      reportingCategory: 'dispute_reversal',
      description: `Chargeback reversal for ${body.charge}`,
    });
  }
  await saveObject(work, dispute);
  await tell(work, 'charge.dispute.closed', body, { previous });
  if (isWon) await tell(work, 'charge.dispute.funds_reinstated', body);
}

const needsResponse = ({ status }: Dispute) => status === 'needs_response' || status === 'warning_needs_response';

const withdraw = (work: Work, body: Dispute) =>
  book(work, body, {
    amount: -body.amount,
    fee: FEE_CENTS,
    reportingCategory: 'dispute',
    description: `Chargeback withdrawal for ${body.charge}`,
  });

async function book(
  work: Work,
  body: Dispute,
  posting: Pick<Posting, 'amount' | 'fee' | 'reportingCategory' | 'description'>,
): Promise<void> {
  const id = await post(work, { account: null, type: 'adjustment', source: body.id, ...posting });
  const booked = await findBalanceTransaction(work, id);
  if (booked) body.balance_transactions.push(booked);
}

const refused = (message: string) => invalidRequest(message);
