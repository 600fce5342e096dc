/** Actions of banks and card networks, triggered from the console or a test. */

import { invalidRequest, resourceMissing } from '#sandbox/api/errors.ts';
import { releaseSettledFunds } from '#sandbox/money/balances.ts';
import { findObject, lockObject } from '#sandbox/objects.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';
import type { Dispute, DisputeReason } from '#sandbox/shapes/dispute.ts';
import type { Refund } from '#sandbox/shapes/refund.ts';
import { closeDispute, type DisputeKind, escalateInquiry, lockDispute, openDispute } from './disputes.ts';
import { failRefund } from './refunds.ts';

export async function disputePayment(
  ctx: OperationContext,
  intentId: string,
  dispute: { kind: DisputeKind; reason: DisputeReason },
): Promise<Dispute> {
  const intent = await findObject(ctx, 'payment_intent', intentId);
  const charge = intent?.body.latest_charge ? await lockObject(ctx, 'charge', intent.body.latest_charge) : null;
  if (!charge) throw resourceMissing('charged payment', intentId, 'payment_intent');
  return await openDispute(ctx, charge, dispute);
}

export async function advanceDispute(
  ctx: OperationContext,
  id: string,
  become: 'won' | 'lost' | 'chargeback',
): Promise<Dispute> {
  const { charge, dispute } = await lockDispute(ctx, id);
  if (become === 'chargeback') await escalateInquiry(ctx, dispute, charge);
  else await closeDispute(ctx, dispute, become);
  return dispute.body;
}

/** The buyer's bank returns a refund that had already been sent. */
export async function bounceRefund(ctx: OperationContext, id: string): Promise<Refund> {
  const refund = await lockObject(ctx, 'refund', id);
  if (!refund) throw resourceMissing('refund', id);
  if (refund.body.status === 'failed') throw invalidRequest(`Refund ${id} has already failed.`);
  await failRefund(ctx, refund);
  return refund.body;
}

/** Makes all pending funds available, for the platform and every connected account. */
export async function releaseAllPendingFunds(ctx: OperationContext): Promise<void> {
  await ctx.tx.query(`update sandbox.balance_transactions set available_on = $1 where status = 'pending'`, [ctx.now]);
  await releaseSettledFunds(ctx);
}
