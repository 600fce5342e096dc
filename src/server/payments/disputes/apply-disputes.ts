/**
 * Brings an order's disputes to where the card company says they are: once, forward only, in whatever order the news
 * comes in. docs/decisions/0017-disputes-and-recoveries.md says what each step means.
 */

import { type DisputeStep, disputeStep, lossShares } from '#domain/dispute.ts';
import type { OrderRef } from '#domain/order.ts';
import { readOrderBalances } from '#server/ledger/read-balances.ts';
import { recordDisputeLost, recordDisputeOpened, recordDisputeWon } from '#server/ledger/record-movements.ts';
import { claimAdditionalPayout } from '#server/payments/payouts/claim-additional-payout.ts';
import { claimReversal } from '#server/payments/payouts/claim-reversal.ts';
import { lockEventForPayout } from '#server/payments/payouts/lock-event.ts';
import { dropNeedlessReversals } from '#server/payments/payouts/reversals.sql.ts';
import { hasOpenDispute } from '#server/payments/refunds/has-open-dispute.ts';
import { lockOrderOf } from '#server/payments/refunds/lock-order.ts';
import { voidTicketsOf } from '#server/payments/refunds/void-tickets.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { PaymentReading, ProcessorDispute } from '#server/platform/ports/payment-processor.ts';
import {
  findDispute,
  flagTickets,
  insertDispute,
  organizerEmail,
  unflagTickets,
  updateDispute,
} from './disputes.sql.ts';

type ApplyDeps = Pick<Deps, 'db' | 'log'>;

export async function applyDisputes(
  deps: ApplyDeps,
  order: OrderRef,
  reading: Pick<PaymentReading, 'disputes'>,
): Promise<void> {
  for (const dispute of reading.disputes) {
    const isNews = await inTransaction(deps.db, (tx) => applyDispute(deps, tx, order, dispute));
    if (isNews) deps.log.warn({ ...order, ...dispute }, 'a dispute changed');
  }
}

/** One dispute with its order, as the steps below need it. */
interface Case extends OrderRef {
  disputeId: string;
  organizerId: string;
  /** False for an order that came to nothing: its money is owed to the buyer, and no organizer is concerned. */
  hasTickets: boolean;
  state: ProcessorDispute['state'];
  cents: number;
  /** What the card company keeps for it, beyond what is in the books already. */
  feeCents: number;
  at: Date;
}

async function applyDispute(
  deps: ApplyDeps,
  tx: Db,
  { eventId, orderId }: OrderRef,
  dispute: ProcessorDispute,
): Promise<boolean> {
  const { organizerId, now: at } = await lockEventForPayout(tx, eventId);
  const order = await lockOrderOf(tx, { eventId, orderId });
  if (!order) return false;
  const known = await findDispute(tx, eventId, dispute.providerDisputeId);
  const step = disputeStep(known?.state ?? null, dispute.state);
  if (!step) return false;

  const { state, cents } = dispute;
  const disputeId = await save(tx, { eventId, orderId }, { known, step, dispute, at });
  const feeCents = dispute.feeCents - (step.opens ? 0 : (known?.feeCents ?? 0));
  const hasTickets = order.state === 'paid';
  const one = { eventId, orderId, disputeId, organizerId, hasTickets, state, cents, feeCents, at };
  if (step.opens) await open(tx, one);
  if (step.ends) await end(deps, tx, step.opens ? { ...one, feeCents: 0 } : one);
  return true;
}

interface News {
  known: Awaited<ReturnType<typeof findDispute>>;
  step: DisputeStep;
  dispute: ProcessorDispute;
  at: Date;
}

async function save(tx: Db, { eventId, orderId }: OrderRef, { known, step, dispute, at }: News): Promise<string> {
  const { providerDisputeId, cents, feeCents, state, reason } = dispute;
  const closedAt = step.ends || state === 'closed' ? at : null;
  if (known) {
    await updateDispute(tx, { eventId, disputeId: known.id }, { state, cents, feeCents, reason, closedAt });
    return known.id;
  }
  const id = newId();
  const row = { eventId, id, orderId, providerDisputeId, cents, feeCents, state, reason, openedAt: at, closedAt };
  await insertDispute(tx, { ...row, withheldFrom: null, returnedBy: null });
  return id;
}

async function open(tx: Db, one: Case): Promise<void> {
  const { eventId, orderId, disputeId, hasTickets, state, cents, feeCents, at } = one;
  await recordDisputeOpened(tx, { eventId, subjectId: disputeId, cents, feeCents, at });
  // Heard of only when it was won: the money is back already, so nothing is held.
  if (!hasTickets || state === 'won') return;
  await claimReversal(tx, { eventId, orderId, cause: { disputeId }, grossCents: cents, at });
  if (state !== 'open') return;
  await flagTickets(tx, { eventId, orderId }, at);
  await tell(tx, 'dispute-opened', one);
}

async function end({ log }: ApplyDeps, tx: Db, one: Case): Promise<void> {
  const { eventId, orderId, disputeId, hasTickets, state, cents, feeCents, at } = one;
  if (state === 'won') await recordDisputeWon(tx, { eventId, subjectId: disputeId, cents, feeCents, at });
  else await lose(tx, one);

  if (!hasTickets) return;
  if (!(await hasOpenDispute(tx, { eventId, orderId }))) await unflagTickets(tx, { eventId, orderId });
  if (state === 'won') await dropNeedlessReversals(tx, { eventId, orderId });
  await claimAdditionalPayout({ log }, tx, eventId);
  await tell(tx, 'dispute-ended', one);
}

/** What the organizer would have got goes first. Where nothing of that is left, the tickets are worth nothing either. */
async function lose(tx: Db, one: Case): Promise<void> {
  const { eventId, orderId, disputeId: subjectId, hasTickets, cents, feeCents, at } = one;
  const left = await readOrderBalances(tx, { eventId, orderId });
  const { organizerCents, buyerCents } = lossShares(cents, left);
  await recordDisputeLost(tx, { eventId, subjectId, at }, { cents, feeCents, organizerCents, buyerCents });
  if (hasTickets && organizerCents === left.organizerCents) await voidTicketsOf(tx, { eventId, orderId });
}

async function tell(tx: Db, kind: 'dispute-opened' | 'dispute-ended', one: Case): Promise<void> {
  const { eventId, disputeId: subjectId, organizerId, at: now } = one;
  const toAddress = await organizerEmail(tx, organizerId);
  await queueEmail(tx, { kind, subjectId, toAddress, params: { eventId }, accountId: organizerId, now });
}
