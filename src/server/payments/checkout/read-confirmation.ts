/** Data of the confirmation page. It reads the session from Stripe instead of waiting for the webhook. */
import { type Confirmation } from '#contract/app/checkout.ts';
import { hasReceivedPayment } from '#domain/payment.ts';
import { findConfirmations, findOrderBySession } from '#server/orders/core/orders.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { settleOrder } from './fulfill-order.ts';
import { pollThrottleOf } from './poll-throttle.ts';

type ConfirmationDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'clock' | 'log'>;

/** The link stays in browser histories and inboxes, so it expires. */
const OPEN_AFTER_END_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

export async function readConfirmation(deps: ConfirmationDeps, sessionId: string): Promise<Confirmation> {
  const found = await findOrderBySession(deps.db, sessionId);
  if (!found || deps.clock.now() >= openUntil(found)) throw new AppError('checkout.unknown');
  if (found.state === 'paid') return confirmed(deps, found);
  // A settled order no longer depends on Stripe.
  if (hasReceivedPayment(found)) return emptyConfirmation(statusOf(found.state, null));

  const page = await settleAndReadPage(deps, found);
  const order = (await findOrderBySession(deps.db, sessionId)) ?? found;
  if (order.state === 'paid') return confirmed(deps, order);
  const status = statusOf(order.state, page);
  const reply = emptyConfirmation(status);
  return status === 'unpaid' ? { ...reply, reservedUntil: order.reservationExpiresAt.toISOString() } : reply;
}

const openUntil = ({ latestEndsAt }: Order): Date => new Date(latestEndsAt.getTime() + OPEN_AFTER_END_DAYS * DAY);

type PaymentPage = Awaited<ReturnType<typeof settleOrder>>;
type Order = NonNullable<Awaited<ReturnType<typeof findOrderBySession>>>;

async function confirmed({ db }: ConfirmationDeps, order: Order): Promise<Confirmation> {
  const tickets = await findConfirmations(db, order);
  // All tickets were refunded.
  if (tickets.length === 0) return emptyConfirmation('refunded');
  return {
    status: 'confirmed',
    confirmationData: tickets.map(({ isAddOn, ...ticket }) => ({ ...ticket, ...(isAddOn && { isAddOn }) })),
    order: {
      eventId: order.eventId,
      title: order.title,
      city: order.city,
      timezone: order.timezone,
      startDate_startTime: order.startsAt.toISOString(),
      email: order.buyerEmail ?? '',
      openUntil: openUntil(order).toISOString(),
    },
  };
}

const emptyConfirmation = (status: Confirmation['status']): Confirmation => ({
  status,
  confirmationData: [],
  order: null,
});

/** State of the payment page; `null` if unknown, because it was polled moments ago or Stripe is unreachable. */
async function settleAndReadPage(deps: ConfirmationDeps, order: Order): Promise<PaymentPage> {
  try {
    return await pollThrottleOf(deps.db).once(order.orderId, deps.clock.now(), () => settleOrder(deps, order));
  } catch (error) {
    if (error instanceof ProcessorUnreachable) return null;
    throw error;
  }
}

function statusOf(state: Order['state'], page: PaymentPage): Confirmation['status'] {
  if (state === 'expired') return 'expired';
  if (state === 'unfulfillable') return 'refunded';
  if (state === 'needs-review') return 'in-review';
  // Reports `unpaid` only if it is certain. Otherwise buyers would pay twice.
  return page === 'open' ? 'unpaid' : 'processing';
}
