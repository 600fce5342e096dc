import type { OrderRef } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockOrder, setOrderState } from './core/orders.sql.ts';
import { lockStock, releaseOrder } from './core/stock.sql.ts';

/** Releases an unpaid order's tickets and queue position. Call only once the order can no longer be paid. */
export async function releaseReservation({ db }: Pick<Deps, 'db'>, order: OrderRef): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockStock(tx, order);
    const locked = await lockOrder(tx, order);
    if (locked?.state !== 'reserved') return;

    await expireOrder(tx, order);
  });
}

/** Like `releaseReservation`, but returns false if the order has a payment page, where its buyer may still pay. */
export async function releaseUnopened({ db }: Pick<Deps, 'db'>, order: OrderRef): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockStock(tx, order);
    const locked = await lockOrder(tx, order);
    if (locked?.state !== 'reserved') return true;
    if (locked.sessionId !== null) return false;

    await expireOrder(tx, order);
    return true;
  });
}

async function expireOrder(tx: Db, order: OrderRef): Promise<void> {
  await setOrderState(tx, order, { state: 'expired' });
  await releaseOrder(tx, order);
}
