/** Gives the tickets of an unpaid order back. Only ever called when the order can no longer be paid. */
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { lockOrder, lockStockOf, type OrderRef, setOrderState } from './checkout.sql.ts';
import { giveBackLines } from './hold-lines.ts';

export async function releaseHold({ db }: Pick<Deps, 'db'>, order: OrderRef): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockStockOf(tx, order);
    const held = await lockOrder(tx, order);
    if (held?.state !== 'held') return;

    await setOrderState(tx, order, { state: 'expired' });
    await giveBackLines(tx, order);
  });
}
