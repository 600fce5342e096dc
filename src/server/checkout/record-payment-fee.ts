/** Writes down what the card company kept of an order's payment, once it says so. */
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { recordCardFee } from '#server/ledger/record-sale.ts';
import { lockEventOnSale, type OrderRef } from './checkout.sql.ts';

export async function recordPaymentFee(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
  cents: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    if (event) await recordCardFee(tx, { eventId, subjectId: orderId, cents, at: event.now });
  });
}
