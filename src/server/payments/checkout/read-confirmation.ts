/** What an order's page shows. It reads the session from Stripe instead of waiting for the webhook. */
import type { Confirmation, OrderAddress } from '#contract/app/checkout.ts';
import { hasReceivedPayment } from '#domain/payment.ts';
import { findOrderBySession, findOrderOfPage } from '#server/orders/core/orders.sql.ts';
import { type FoundOrder, orderOfLink, ticketOfLink } from '#server/orders/find-by-link.ts';
import { openUntil, type PaidOrder, showOrder } from '#server/orders/order-page/show-order.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { settleOrder } from './fulfill-order.ts';
import { pollThrottleOf } from './poll-throttle.ts';

export type ConfirmationDeps = Pick<
  Deps,
  'db' | 'paymentProcessor' | 'clock' | 'log' | 'appSecret' | 'publicUrl' | 'wallets'
>;

export async function readConfirmation(deps: ConfirmationDeps, address: OrderAddress): Promise<Confirmation> {
  if ('ticket' in address) return readHeldTicket(deps, address.ticket);
  const found = await orderAt(deps, address);
  if (!found || deps.clock.now() >= openUntil(found)) throw new AppError('checkout.unknown');
  if (isPaid(found)) return showOrder(deps, found);
  // A settled order no longer depends on Stripe.
  if (hasReceivedPayment(found)) return emptyConfirmation(statusOf(found.state, null));

  const page = await settleAndReadPage(deps, found);
  const order = (await findOrderOfPage(deps.db, found)) ?? found;
  if (isPaid(order)) return showOrder(deps, order);
  const status = statusOf(order.state, page);
  const reply = emptyConfirmation(status);
  return status === 'unpaid' ? { ...reply, reservedUntil: order.reservationExpiresAt.toISOString() } : reply;
}

/** For the holder of a transferred ticket. */
async function readHeldTicket(deps: ConfirmationDeps, token: string): Promise<Confirmation> {
  const { order, ticket } = (await ticketOfLink(deps, token)) ?? {};
  if (!order || !isPaid(order) || deps.clock.now() >= openUntil(order)) throw new AppError('checkout.unknown');
  return showOrder(deps, order, ticket);
}

const orderAt = (deps: ConfirmationDeps, address: Exclude<OrderAddress, { ticket: string }>) =>
  'sessionId' in address ? findOrderBySession(deps.db, address.sessionId) : orderOfLink(deps, address.token);

type PaymentPage = Awaited<ReturnType<typeof settleOrder>>;

const isPaid = (order: FoundOrder): order is PaidOrder => order.state === 'paid' && order.paidAt !== null;

const emptyConfirmation = (status: Confirmation['status']): Confirmation => ({
  status,
  confirmationData: [],
  order: null,
});

/** State of the payment page; `null` if unknown, because it was polled moments ago or Stripe is unreachable. */
async function settleAndReadPage(deps: ConfirmationDeps, order: FoundOrder): Promise<PaymentPage> {
  try {
    return await pollThrottleOf(deps.db).once(order.orderId, deps.clock.now(), () => settleOrder(deps, order));
  } catch (error) {
    if (error instanceof ProcessorUnreachable) return null;
    throw error;
  }
}

function statusOf(state: FoundOrder['state'], page: PaymentPage): Confirmation['status'] {
  if (state === 'expired') return 'expired';
  if (state === 'unfulfillable') return 'refunded';
  if (state === 'needs-review') return 'in-review';
  // Reports `unpaid` only if it is certain. Otherwise buyers would pay twice.
  return page === 'open' ? 'unpaid' : 'processing';
}
