/** Gives the tickets of an unpaid order back, and its place in the line for payment pages. Only when the order can no longer be paid. */

import type { OrderRef } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { leaveQueue } from './checkout-queue.sql.ts';
import { lockOrder, lockStockOf, setOrderState } from './orders.sql.ts';
import { releaseLines } from './reserve-lines.ts';

export async function releaseReservation({ db }: Pick<Deps, 'db'>, order: OrderRef): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockStockOf(tx, order);
    const held = await lockOrder(tx, order);
    if (held?.state !== 'held') return;

    await giveBack(tx, order);
  });
}

/** False when a payment page is known by now: then the tickets are that page's, whoever opened it. */
export async function releaseUnopened({ db }: Pick<Deps, 'db'>, order: OrderRef): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockStockOf(tx, order);
    const held = await lockOrder(tx, order);
    if (held?.state !== 'held') return true;
    if (held.sessionId !== null) return false;

    await giveBack(tx, order);
    return true;
  });
}

async function giveBack(tx: Db, order: OrderRef): Promise<void> {
  await setOrderState(tx, order, { state: 'expired' });
  await releaseLines(tx, order);
  await leaveQueue(tx, order);
}
