/** The order that a payment, or the words of the card company, belong to. */
import type { Deps } from '#server/platform/deps.ts';
import { orderNamed, orderOfPayment } from './orders.sql.ts';

export type KnownOrder = NonNullable<Awaited<ReturnType<typeof orderOfPayment>>>;

interface Named {
  paymentId: string | null;
  /** As it stands beside the object at the card company, where anybody may write. */
  order: { eventId: string; orderId: string } | null;
}

export async function findOrder({ db }: Pick<Deps, 'db'>, { paymentId, order }: Named): Promise<KnownOrder | null> {
  const found = order && isOrderId(order.orderId) ? await orderNamed(db, order) : undefined;
  return found ?? (paymentId === null ? null : ((await orderOfPayment(db, paymentId)) ?? null));
}

/** Money has come in for it, and what becomes of that is decided. */
export function isSettled({ state }: Pick<KnownOrder, 'state'>): boolean {
  return state === 'paid' || state === 'unfillable' || state === 'quarantined';
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Other programs on the same account number their orders as they like. */
export const isOrderId = (orderId: string): boolean => UUID.test(orderId);
