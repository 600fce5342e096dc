/** Gives the tickets of an unpaid order back. Only ever called when the order can no longer be paid. */
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { giveBackTickets, linesOf, lockOrder, type OrderRef, setOrderState } from './checkout.sql.ts';

export async function releaseHold({ db }: Pick<Deps, 'db'>, order: OrderRef): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await lockOrder(tx, order);
    if (held?.state !== 'held') return;

    await setOrderState(tx, order, { state: 'expired' });
    for (const line of await linesOf(tx, order)) {
      await giveBackTickets(tx, order.eventId, line.ticketTypeId, line.quantity);
    }
  });
}
