/** A person has decided about an order that was set aside: its tickets are released, and all that arrived goes back. */
import { quarantineRefusals } from '#contract/checkout-words.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { conflict } from '#server/refusal.ts';
import { lockEventOnSale, lockOrder, lockStockOf, type OrderRef } from './checkout.sql.ts';
import { giveBackLines } from './hold-lines.ts';
import { returnPayment } from './return-payment.ts';

/** @returns what goes back */
export async function refundQuarantinedOrder(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
): Promise<{ cents: number }> {
  return inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    await lockStockOf(tx, { eventId, orderId });
    const order = await lockOrder(tx, { eventId, orderId });
    if (!event || order?.state !== 'quarantined') throw conflict(quarantineRefusals['not-quarantined']);
    if (order.quarantine === 'other-currency') throw conflict(quarantineRefusals['other-currency']);

    const { receivedCents, totalCents, buyerEmail } = order;
    const cents = receivedCents ?? totalCents;
    await giveBackLines(tx, { eventId, orderId });
    await returnPayment(tx, { eventId, orderId, cents, buyerEmail, reason: 'payment-differs', at: event.now });
    return { cents };
  });
}
