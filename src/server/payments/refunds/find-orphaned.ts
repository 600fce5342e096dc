/** Orphaned refunds: made by Stripe for us but missing from our records, as after restoring an older backup. */
import { isChosenRefund } from '#domain/settlement.ts';
import type { Db } from '#server/platform/database.ts';
import type { ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import type { Schema } from '#server/platform/schema.ts';
import { knownRefundIds } from './refunds.sql.ts';

interface Claim {
  eventId: string;
  orderId: string;
  ticketId: string | null;
  reason: Schema['refunds']['reason'];
}

/** The first refund at Stripe that may already have paid what this claim is about to refund. */
export async function findOrphanedRefund(
  db: Db,
  claim: Claim,
  refunds: readonly ProcessorRefundState[],
): Promise<ProcessorRefundState | undefined> {
  if (refunds.length === 0) return undefined;
  const known = await knownRefundIds(db, claim);
  return refunds.find(({ stripeRefundId, refundId, ticketId }) => {
    if (refundId === null || known.refundIds.includes(refundId)) return false;
    // A refund that someone chose covers the full ticket price, regardless of other refunds. The rest share what is left.
    if (!isChosenRefund(claim.reason) && known.providerRefundIds.includes(stripeRefundId)) return false;
    // Only tickets that we know count: an order completed again after a restore has new ticket ids.
    const isForOtherTicket = ticketId !== null && ticketId !== claim.ticketId && known.ticketIds.includes(ticketId);
    return !isForOtherTicket;
  });
}
