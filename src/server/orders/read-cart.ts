import { type createCheckoutSession as call, checkoutErrors } from '#contract/app/checkout.ts';
import { eventNotFound } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { denySale } from '#domain/event-schedule.ts';
import { dollarsOf } from '#domain/money.ts';
import { denyOrder } from '#domain/order.ts';
import { AppError, conflict, notFound } from '#server/platform/app-error.ts';
import type { CartLine, EventOnSale } from './core/reserve.sql.ts';

export type Cart = InputOf<typeof call>;

/** Resolves the cart to the event's names and prices: one line per ticket type, in cart order. */
export function readCart(cart: Cart, event: EventOnSale | undefined): CartLine[] | AppError {
  if (!event) return notFound(eventNotFound);
  const saleDenial = denySale(event, event.now);
  if (saleDenial) return conflict(checkoutErrors[saleDenial]);

  const lines = resolveLines(cart, event.types);
  if (lines instanceof AppError) return lines;
  const denial = denyOrder(lines);
  return denial ? conflict(checkoutErrors[denial]) : lines;
}

function resolveLines(cart: Cart, types: EventOnSale['types']): CartLine[] | AppError {
  const lines = new Map<string, CartLine>();
  for (const item of cart.cartItems) {
    const name = item.ticketName.trim().toLowerCase();
    const type = types.find((one) => (item.ticketId ? one.id === item.ticketId : one.name.toLowerCase() === name));
    if (!type) return conflict(checkoutErrors['unknown-ticket']);
    if (item.ticketPrice !== undefined && item.ticketPrice !== dollarsOf(type.priceCents))
      return conflict(checkoutErrors['price-changed']);

    const quantity = (lines.get(type.id)?.quantity ?? 0) + item.quantity;
    lines.set(type.id, { ticketTypeId: type.id, ticketName: type.name, unitPriceCents: type.priceCents, quantity });
  }
  return [...lines.values()];
}
