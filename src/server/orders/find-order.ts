/** Finds the order of a Stripe payment, by its metadata or its payment ID. */
import type { Deps } from '#server/platform/deps.ts';
import { findOrderById, findOrderByPayment } from './core/orders.sql.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type KnownOrder = NonNullable<Awaited<ReturnType<typeof findOrderByPayment>>>;

interface OrderHint {
  paymentId: string | null;
  /** From Stripe metadata, which anyone with access to the Stripe account can edit. */
  order: { eventId: string; orderId: string } | null;
}

export async function findOrder({ db }: Pick<Deps, 'db'>, { paymentId, order }: OrderHint): Promise<KnownOrder | null> {
  const named = order && isOrderId(order.orderId) ? await findOrderById(db, order) : undefined;
  return named ?? (paymentId === null ? null : ((await findOrderByPayment(db, paymentId)) ?? null));
}

/** The order's payment was received and handled. */
export function isSettled({ state }: Pick<KnownOrder, 'state'>): boolean {
  return state === 'paid' || state === 'unfulfillable' || state === 'needs-review';
}

/** Other software on the same Stripe account may use order IDs of any form. */
export const isOrderId = (orderId: string): boolean => UUID.test(orderId);
