/** A refund that the card company made for us and that our books do not know, as after restoring an older backup. */
import type { Db } from '#server/platform/database.ts';
import type { ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import type { Schema } from '#server/platform/schema.ts';
import { knownOfOrder } from './refunds.sql.ts';

interface Claim {
  eventId: string;
  orderId: string;
  ticketId: string | null;
  reason: Schema['refunds']['reason'];
}

/** The first of these that may have given back what this claim is about to give back. */
export async function findOrphaned(
  db: Db,
  claim: Claim,
  made: readonly ProcessorRefundState[],
): Promise<ProcessorRefundState | undefined> {
  if (made.length === 0) return undefined;
  const known = await knownOfOrder(db, claim);
  return made.find(({ providerRefundId, refundId, ticketId }) => {
    if (refundId === null || known.refundIds.includes(refundId)) return false;
    // A request is for a ticket's whole price, whatever else went back; the others share what our books have left.
    if (claim.reason !== 'requested' && known.providerRefundIds.includes(providerRefundId)) return false;
    // Of another ticket, if that is one that we have: an order that was completed anew has others than it had.
    const isOfAnother = ticketId !== null && ticketId !== claim.ticketId && known.ticketIds.includes(ticketId);
    return !isOfAnother;
  });
}
