/** What banks and networks do of their own accord: the console's buttons, and a test's. */

import { invalidRequest, noSuch } from './api/errors.ts';
import { type DisputeKind, endDispute, escalateInquiry, lockDispute, openDispute } from './disputes.ts';
import { matureBalances } from './balances.ts';
import { findObject, lockObject } from './objects.ts';
import { failRefund } from './refunds.ts';
import type { Dispute, DisputeReason } from './shapes/dispute.ts';
import type { Refund } from './shapes/refund.ts';
import type { Work } from './operation-context.ts';

export async function disputePayment(
  work: Work,
  intentId: string,
  how: { kind: DisputeKind; reason: DisputeReason },
): Promise<Dispute> {
  const intent = await findObject(work, 'payment_intent', intentId);
  const charge = intent?.body.latest_charge ? await lockObject(work, 'charge', intent.body.latest_charge) : null;
  if (!charge) throw noSuch('charged payment', intentId, 'payment_intent');
  return await openDispute(work, charge, how);
}

export async function happenToDispute(work: Work, id: string, become: 'won' | 'lost' | 'chargeback'): Promise<Dispute> {
  const { charge, dispute } = await lockDispute(work, id);
  if (become === 'chargeback') await escalateInquiry(work, dispute, charge);
  else await endDispute(work, dispute, become);
  return dispute.body;
}

/** The buyer's bank sends the money back. */
export async function loseRefund(work: Work, id: string): Promise<Refund> {
  const refund = await lockObject(work, 'refund', id);
  if (!refund) throw noSuch('refund', id);
  if (refund.body.status === 'failed') throw invalidRequest(`Refund ${id} has failed already.`);
  await failRefund(work, refund);
  return refund.body;
}

/** All that is still clearing has cleared: the platform's money, and that of the connected accounts. */
export async function releaseFunds(work: Work): Promise<void> {
  await work.tx.query(`update sandbox.balance_transactions set available_on = $1 where status = 'pending'`, [work.now]);
  await matureBalances(work);
}
