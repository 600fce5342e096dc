/**
 * Syncs an order's disputes with Stripe. Each step applies once, and states only move forward, whatever order the
 * events arrive in. See docs/decisions/0017-disputes-and-transfer-reversals.md.
 */

import { type DisputeStep, disputeStep, lossShares } from '#domain/dispute.ts';
import type { OrderRef } from '#domain/order.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import { readOrderBalances } from '#server/ledger/read-balances.ts';
import { recordDisputeLost, recordDisputeOpened, recordDisputeWon } from '#server/ledger/record-movements.ts';
import { clearDispute, markDisputed } from '#server/orders/core/tickets.sql.ts';
import { claimAdditionalPayout } from '#server/payments/payouts/claim-additional-payout.ts';
import { claimReversal } from '#server/payments/payouts/claim-reversal.ts';
import { lockEventForPayout } from '#server/payments/payouts/lock-event.ts';
import { dropUnneededReversals, unusedOf, useReversals } from '#server/payments/payouts/reversals.sql.ts';
import { hasOpenDispute } from '#server/payments/refunds/has-open-dispute.ts';
import { lockOrderOf } from '#server/payments/refunds/lock-order.ts';
import { voidTicketsOf } from '#server/payments/refunds/void-tickets.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import type { PaymentReading, ProcessorDispute } from '#server/platform/ports/payment-processor.ts';
import { findDispute, insertDispute, updateDispute } from './disputes.sql.ts';

type ApplyDeps = Pick<Deps, 'db' | 'log'>;

export async function applyDisputes(
  deps: ApplyDeps,
  order: OrderRef,
  reading: Pick<PaymentReading, 'disputes'>,
): Promise<void> {
  for (const dispute of reading.disputes) {
    const hasChanged = await inTransaction(deps.db, (tx) => applyDispute(deps, tx, order, dispute));
    if (hasChanged) deps.log.warn({ ...order, ...dispute }, 'a dispute changed state');
  }
}

interface DisputeCase extends OrderRef {
  disputeId: string;
  organizationId: string;
  /** False for an unfulfillable order: its money is owed to the buyer and doesn't concern the organizer. */
  hasTickets: boolean;
  state: ProcessorDispute['state'];
  cents: number;
  /** Stripe's dispute fee, minus the part already in the ledger. */
  feeCents: number;
  at: Date;
}

async function applyDispute(
  deps: ApplyDeps,
  tx: Db,
  { eventId, orderId }: OrderRef,
  dispute: ProcessorDispute,
): Promise<boolean> {
  const { organizationId, now: at } = await lockEventForPayout(tx, eventId);
  const order = await lockOrderOf(tx, { eventId, orderId });
  if (!order) return false;
  const known = await findDispute(tx, eventId, dispute.stripeDisputeId);
  const step = disputeStep(known?.state ?? null, dispute.state);
  if (!step) return false;

  const { state, cents } = dispute;
  const disputeId = await saveDispute(tx, { eventId, orderId }, { known, step, dispute, at });
  const feeCents = dispute.feeCents - (step.opens ? 0 : (known?.feeCents ?? 0));
  const hasTickets = order.state === 'paid';
  const saved = { eventId, orderId, disputeId, organizationId, hasTickets, state, cents, feeCents, at };
  if (step.opens) await openDispute(tx, saved);
  if (step.ends) await closeDispute(deps, tx, step.opens ? { ...saved, feeCents: 0 } : saved);
  return true;
}

interface DisputeChange {
  known: Awaited<ReturnType<typeof findDispute>>;
  step: DisputeStep;
  dispute: ProcessorDispute;
  at: Date;
}

async function saveDispute(
  tx: Db,
  { eventId, orderId }: OrderRef,
  { known, step, dispute, at }: DisputeChange,
): Promise<string> {
  const { stripeDisputeId, cents, feeCents, state, reason, dueAt = null } = dispute;
  const closedAt = step.ends || state === 'closed' ? at : null;
  if (known) {
    await updateDispute(tx, { eventId, disputeId: known.id }, { state, cents, feeCents, reason, closedAt, dueAt });
    return known.id;
  }
  const id = newId();
  const row = { eventId, id, orderId, stripeDisputeId, cents, feeCents, state, reason, openedAt: at, closedAt, dueAt };
  await insertDispute(tx, { ...row, excludedFrom: null, returnedBy: null });
  return id;
}

async function openDispute(tx: Db, dispute: DisputeCase): Promise<void> {
  const { eventId, orderId, disputeId, hasTickets, state, cents, feeCents, at } = dispute;
  await recordDisputeOpened(tx, { eventId, subjectId: disputeId, cents, feeCents, at });
  // First seen after it was won: the money is already back, so nothing goes on hold.
  if (!hasTickets || state === 'won') return;
  await claimReversal(tx, { eventId, orderId, cause: { disputeId }, grossCents: cents, at });
  if (state !== 'open') return;
  await markDisputed(tx, { eventId, orderId }, at);
  await emailOrganizer(tx, 'dispute-opened', dispute);
}

async function closeDispute({ log }: ApplyDeps, tx: Db, dispute: DisputeCase): Promise<void> {
  const { eventId, orderId, disputeId, hasTickets, state, cents, feeCents, at } = dispute;
  if (state === 'won') await recordDisputeWon(tx, { eventId, subjectId: disputeId, cents, feeCents, at });
  else await loseDispute(tx, dispute);

  if (!hasTickets) return;
  if (!(await hasOpenDispute(tx, { eventId, orderId }))) await clearDispute(tx, { eventId, orderId });
  if (state === 'won') await dropUnneededReversals(tx, { eventId, orderId });
  await claimAdditionalPayout({ log }, tx, eventId);
  await emailOrganizer(tx, 'dispute-ended', dispute);
}

/** The organizer's share covers the loss first. Once it is used up, the tickets are voided. */
async function loseDispute(tx: Db, dispute: DisputeCase): Promise<void> {
  const { eventId, orderId, disputeId: subjectId, hasTickets, cents, feeCents, at } = dispute;
  const balances = await readOrderBalances(tx, { eventId, orderId });
  const { organizerCents, buyerCents } = lossShares(cents, balances);
  await recordDisputeLost(tx, { eventId, subjectId, at }, { cents, feeCents, organizerCents, buyerCents });
  // What it did not reverse itself is taken from what other disputes of the order did.
  await useReversals(
    tx,
    { eventId, orderId },
    organizerCents - (await unusedOf(tx, { eventId, disputeId: subjectId })),
  );
  if (hasTickets && organizerCents === balances.organizerCents) await voidTicketsOf(tx, { eventId, orderId });
}

function emailOrganizer(tx: Db, kind: 'dispute-opened' | 'dispute-ended', dispute: DisputeCase): Promise<void> {
  const { eventId, disputeId: subjectId, organizationId, at: now } = dispute;
  return emailOwners(tx, organizationId, { kind, subjectId, params: { eventId }, now });
}
