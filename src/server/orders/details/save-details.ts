/** Stores who uses the tickets of a reserved order, and the answers to what its event asks. */
import { detailsProblems, type GuestDetails, guestRowsOf } from '#contract/forms/guest-details.ts';
import type { OrderRef } from '#domain/order.ts';
import { UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { orderOfHandle, whatIsAsked } from '#server/orders/checkout-page/checkout-page.ts';
import { lockEventOnSale, lockOrder, setOrderState } from '#server/orders/core/orders.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { replaceGuests } from './order-guests.sql.ts';

export interface DetailedOrder extends OrderRef {
  eventTitle: string;
  totalCents: number;
  /** They were missing. */
  isFirst: boolean;
  /** End of the reservation. */
  expiresAt: Date;
}

/** Repeatable: the last details before the payment count. */
export async function saveDetails(
  deps: Pick<Deps, 'db' | 'appSecret' | 'rateLimiter'>,
  { handle, ...details }: GuestDetails & { handle: string },
): Promise<DetailedOrder> {
  const ref = orderOfHandle(deps, handle);
  await consumeLimit(deps.rateLimiter, 'order-details', ref.orderId);
  return inTransaction(deps.db, async (tx) => {
    const event = await lockEventOnSale(tx, ref.eventId);
    const order = await lockOrder(tx, ref);
    if (!event || !order || order.formVersion === null) throw new AppError('checkout.unknown');
    if (event.cancelledAt) throw new AppError('checkout.event-cancelled');
    if (order.state === 'paid') throw new AppError('checkout.already-paid');
    if (order.state !== 'reserved' || order.reservationExpiresAt <= event.now)
      throw new AppError('checkout.reservation-expired');

    const { asked } = await whatIsAsked(tx, ref, order.formVersion);
    const [problem] = detailsProblems(asked, details);
    if (problem) throw new AppError('form.invalid', problem);
    await replaceGuests(tx, ref, guestRowsOf(asked, details));

    const isFirst = order.detailsAt === null;
    const paysNow = isFirst && order.totalCents > 0;
    // As long as a new reservation, for the payment page to open.
    const expiresAt = paysNow
      ? new Date(event.now.getTime() + UNPAID_RESERVATION_MINUTES * 60_000)
      : order.reservationExpiresAt;
    if (isFirst) await setOrderState(tx, ref, { detailsAt: event.now, reservationExpiresAt: expiresAt });
    return { ...ref, eventTitle: event.title, totalCents: order.totalCents, isFirst, expiresAt };
  });
}
