/** The page between the cart and the payment page: its signed address, and what it shows. See docs/decisions/0063. */
import type { AskedDetails, CheckoutPage } from '#contract/app/sales/checkout-page.ts';
import type { OrderRef } from '#domain/order.ts';
import { hasReceivedPayment } from '#domain/payment.ts';
import { DETAILS_MINUTES, FREE_ORDER_MINUTES } from '#domain/reservation-times.ts';
import { type Asked, askedOf, needsDetails, type Question } from '#domain/sales/guest-form.ts';
import { askedForm } from '#server/events/guest-form/asked-form.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { findOrderLines } from '#server/orders/core/orders.sql.ts';
import { signedOrder, signOrder } from '#server/orders/order-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findCheckout, type TicketOfOrder, ticketsToAsk } from './checkout-page.sql.ts';

const PURPOSE = 'checkout page';
/** Of the address in the email, which may have been mistyped: it confirms, and neither shows another address nor replaces it. */
const LINK_PURPOSE = 'free order link';

const handleOf = ({ appSecret }: Pick<Deps, 'appSecret'>, order: OrderRef): string =>
  signOrder(appSecret, PURPOSE, order);

export function orderOfHandle({ appSecret }: Pick<Deps, 'appSecret'>, handle: string): OrderRef {
  const order = signedOrder(appSecret, PURPOSE, handle);
  if (!order) throw new AppError('checkout.unknown');
  return order;
}

/** From the order's page, or from a link in its emails. */
export function orderOfLink({ appSecret }: Pick<Deps, 'appSecret'>, handle: string): OrderRef {
  return signedOrder(appSecret, LINK_PURPOSE, handle) ?? orderOfHandle({ appSecret }, handle);
}

export const freeOrderLink = (
  { appSecret, publicUrl }: Pick<Deps, 'appSecret' | 'publicUrl'>,
  order: OrderRef,
): string => `${publicUrl}/checkout/${signOrder(appSecret, LINK_PURPOSE, order)}`;

export const checkoutPageUrl = (deps: Pick<Deps, 'appSecret' | 'publicUrl'>, order: OrderRef): string =>
  `${deps.publicUrl}/checkout/${handleOf(deps, order)}`;

/** In place of the payment page. */
export const checkoutPageReply = (deps: Pick<Deps, 'appSecret' | 'publicUrl'>, order: OrderRef) => ({
  id: handleOf(deps, order),
  url: checkoutPageUrl(deps, order),
});

/** Its tickets stay reserved while the page keeps reading. */
export async function readCheckoutPage(
  deps: Pick<Deps, 'db' | 'appSecret' | 'clock'>,
  { handle }: { handle: string },
): Promise<CheckoutPage> {
  const ref = orderOfLink(deps, handle);
  checkoutQueueOf(deps.db).notePoll(ref, deps.clock.now());
  const page = await shownCheckout(deps.db, ref, deps.clock.now());
  return signedOrder(deps.appSecret, LINK_PURPOSE, handle) ? { ...page, sentTo: null, details: null } : page;
}

/** While the buyer is at this page. */
export function reservedUntil({ createdAt, totalCents }: { createdAt: Date; totalCents: number }): Date {
  const minutes = totalCents === 0 ? FREE_ORDER_MINUTES : DETAILS_MINUTES;
  return new Date(createdAt.getTime() + minutes * 60_000);
}

export async function shownCheckout(db: Db, ref: OrderRef, now: Date): Promise<CheckoutPage> {
  const [order, lines] = await Promise.all([findCheckout(db, ref), findOrderLines(db, ref)]);
  if (!order) throw new AppError('checkout.unknown');
  const { title, city, timezone, startsAt, email, sentAt, totalCents } = order;
  const isOpen = statusOf(order, now) === 'open';
  return {
    eventId: ref.eventId,
    title,
    city,
    timezone,
    startsAt: startsAt.toISOString(),
    tickets: lines.map(({ ticketName, quantity }, index) => ({ position: index + 1, ticketName, quantity })),
    totalCents,
    status: statusOf(order, now),
    reservedUntil: (needsDetails(order) || totalCents === 0
      ? reservedUntil(order)
      : order.reservationExpiresAt
    ).toISOString(),
    details: isOpen && needsDetails(order) ? await askedDetails(db, ref, order.formVersion ?? 0) : null,
    sentTo: email === null || sentAt === null ? null : { email, at: sentAt.toISOString() },
  };
}

function statusOf(order: NonNullable<Awaited<ReturnType<typeof findCheckout>>>, now: Date): CheckoutPage['status'] {
  const { state, sessionId, reservationExpiresAt } = order;
  if (state === 'paid') return 'confirmed';
  if (hasReceivedPayment(order)) return 'paying';
  if (state !== 'reserved') return 'expired';
  if (reservationExpiresAt > now) return 'open';
  // Paid in the last second, perhaps.
  return sessionId === null ? 'expired' : 'paying';
}

async function askedDetails(db: Db, ref: OrderRef, version: number): Promise<AskedDetails> {
  const { tickets, asked } = await whatIsAsked(db, ref, version);
  return {
    order: asked.order.map(shownQuestion),
    tickets: asked.tickets.map(({ asksName, questions }, index) => ({
      position: index + 1,
      ticketName: tickets[index]?.ticketName ?? '',
      isAddOn: tickets[index]?.isAddOn ?? false,
      asksName,
      questions: questions.map(shownQuestion),
    })),
  };
}

/** As it stood when the order was reserved. */
export async function whatIsAsked(
  db: Db,
  ref: OrderRef,
  version: number,
): Promise<{ tickets: TicketOfOrder[]; asked: Asked<Question> }> {
  const [form, tickets] = await Promise.all([askedForm(db, { eventId: ref.eventId, version }), ticketsToAsk(db, ref)]);
  return { tickets, asked: askedOf(form, tickets) };
}

const shownQuestion = ({ id, kind, label, help, options, isRequired }: Question) => ({
  id,
  kind,
  label,
  help,
  options: [...options],
  isRequired,
});
