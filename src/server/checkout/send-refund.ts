/** Gives claimed money back, once, however often the job runs. */
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { recordUnfillableRefund } from '#server/ledger/record-sale.ts';
import { claimedRefund, markRefundSent } from './checkout.sql.ts';

export async function sendRefund(
  { db, cards, clock }: Pick<Deps, 'db' | 'cards' | 'clock'>,
  { eventId, refundId }: { eventId: string; refundId: string },
): Promise<void> {
  const refund = await claimedRefund(db, eventId, refundId);
  if (!refund?.paymentId) return;

  const { providerRefundId } = await cards.refund({
    refundId,
    eventId,
    orderId: refund.orderId,
    paymentId: refund.paymentId,
    amountCents: refund.cents,
  });

  await inTransaction(db, async (tx) => {
    await markRefundSent(tx, eventId, refundId, providerRefundId);
    await recordUnfillableRefund(tx, { eventId, subjectId: refundId, cents: refund.cents, at: clock.now() });
  });
}
