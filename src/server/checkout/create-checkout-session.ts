/** From a cart to a payment page: first the tickets are held, then the card company is asked. */
import { type createCheckoutSession as call, checkoutRefusals, soldOut } from '#contract/checkout.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { eventNotFound } from '#contract/events.ts';
import { salesObstacle } from '#domain/event-schedule.ts';
import { dollarsOf } from '#domain/money.ts';
import { type OrderLine, orderObstacle, orderTotalCents } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { newId } from '#server/new-id.ts';
import type { CheckoutOrder, CheckoutSession } from '#server/ports/card-processor.ts';
import { conflict, notFound } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';
import { insertOrder, lockEventOnSale, recordSession, reserveTickets, ticketTypesOf } from './checkout.sql.ts';
import { releaseHold } from './release-hold.ts';

type Cart = InputOf<typeof call>;

/** The card company's shortest session is 30 minutes; one more absorbs the difference between the clocks. */
const HOLD_MINUTES = 31;

export async function createCheckoutSession(deps: Pick<Deps, 'db' | 'cards' | 'tries'>, cart: Cart, ip: string) {
  await spendTry(deps.tries, 'checkout', ip);
  const order = await inTransaction(deps.db, (tx) => holdTickets(tx, cart));
  const session = await openPaymentPage(deps, order);
  await recordSession(deps.db, order, session);
  return { id: session.sessionId, url: session.url ?? '' };
}

async function holdTickets(tx: Db, cart: Cart): Promise<CheckoutOrder> {
  const event = await lockEventOnSale(tx, cart.eventId);
  if (!event) throw notFound(eventNotFound);
  const closed = salesObstacle(event, event.now);
  if (closed) throw conflict(checkoutRefusals[closed]);

  const lines = linesFor(cart, await ticketTypesOf(tx, cart.eventId));
  const obstacle = orderObstacle(lines);
  if (obstacle) throw conflict(checkoutRefusals[obstacle]);

  const orderId = newId();
  const holdExpiresAt = new Date(event.now.getTime() + HOLD_MINUTES * 60_000);
  await insertOrder(tx, {
    eventId: event.id,
    orderId,
    totalCents: orderTotalCents(lines),
    holdExpiresAt,
    createdAt: event.now,
    lines,
  });

  // Last, so that the row everyone wants is locked for the shortest time.
  for (const line of lines) {
    const isReserved = await reserveTickets(tx, event.id, line.ticketTypeId, line.quantity);
    if (!isReserved) throw conflict(soldOut(line.ticketName));
  }
  return { orderId, eventId: event.id, eventTitle: event.title, expiresAt: holdExpiresAt, lines };
}

type Line = OrderLine & { ticketTypeId: string; ticketName: string };

/** The cart in the event's own names and prices, one line per ticket type, in the order of their ids. */
function linesFor(cart: Cart, types: readonly { id: string; name: string; priceCents: number }[]): Line[] {
  const lines = new Map<string, Line>();
  for (const item of cart.cartItems) {
    const name = item.ticketName.trim().toLowerCase();
    const type = types.find((one) => (item.ticketId ? one.id === item.ticketId : one.name.toLowerCase() === name));
    if (!type) throw conflict(checkoutRefusals['unknown-ticket']);
    if (item.ticketPrice !== undefined && item.ticketPrice !== dollarsOf(type.priceCents))
      throw conflict(checkoutRefusals['price-changed']);

    const quantity = (lines.get(type.id)?.quantity ?? 0) + item.quantity;
    lines.set(type.id, { ticketTypeId: type.id, ticketName: type.name, unitPriceCents: type.priceCents, quantity });
  }
  return [...lines.values()].sort((a, b) => (a.ticketTypeId < b.ticketTypeId ? -1 : 1));
}

async function openPaymentPage(deps: Pick<Deps, 'db' | 'cards'>, order: CheckoutOrder): Promise<CheckoutSession> {
  try {
    return await deps.cards.openCheckout(order);
  } catch (error) {
    // Even if a session was made, nobody has its address, so nobody can pay it: the tickets are free at once.
    await releaseHold(deps, order);
    throw error;
  }
}
