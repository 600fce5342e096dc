/**
 * How many tickets an order takes, and which prices: what organizers set, what pages say, and why a cart is denied. The event page loads this file,
 * and no other texts of organizers or errors.
 */
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { type ShownLimits, smallestOrder } from '#domain/order.ts';
import { formatCents, plural, TICKETS } from '../format.ts';

/** Labels and hints of fields. */
export const limitFields = {
  orderMax: 'Tickets per order',
  orderMaxHint: `All ticket types together, without add-ons, from 1 to ${ORDER_TICKETS_MAX}. We suggest 10.`,
  minPerOrder: 'Minimum per order',
  minPerOrderHint: 'Leave blank for 1.',
  maxPerOrder: 'Maximum per order',
  maxPerOrderHint: 'Leave blank to apply only the limit above.',
};

/** What limits an order of a ticket type, as part of a sentence; empty without a limit. */
export function limitsInWords({ minPerOrder: min = 1, maxPerOrder: max }: ShownLimits): string {
  if (min === max && min > 1) return `sold in orders of ${min}`;
  if (!max) return min > 1 ? `at least ${min} per order` : '';
  return min > 1 ? `${min} to ${max} per order` : `at most ${max} per order`;
}

/** The same as a sentence of its own. */
export function orderLimits(limits: ShownLimits): string {
  const words = limitsInWords(limits);
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** No order can have what is left. */
export function tooFewLeft(limits: ShownLimits): string {
  const min = smallestOrder(limits);
  return `Fewer than ${min} are left, and it's sold in orders of ${min} or more.`;
}

/** Of all ticket types together, but add-ons. */
export const eventLimit = (max: number, hasAddOns: boolean): string =>
  `At most ${plural(max, TICKETS)} per order${hasAddOns ? ', plus add-ons' : ''}.`;

export const notEnoughLeft = ({ name }: { name: string }): string => `Not enough ${name} left. Try fewer.`;

/** Of a ticket whose price its buyer names. */
export const namedPriceLimits = ({ name, minCents }: { name: string; minCents: number }): string =>
  minCents === 0
    ? `Enter 0, or an amount from $0.50 to $50,000 for ${name}.`
    : `Enter an amount from ${formatCents(minCents)} to $50,000 for ${name}.`;

export const tooManyOf = ({ name, max }: { name: string; max: number }): string =>
  plural(max, { one: `At most # ${name} ticket per order.`, other: `At most # ${name} tickets per order.` });

export const tooManyTickets = ({ max }: { max: number }): string =>
  `An order can have at most ${plural(max, TICKETS)}.`;

/** By the reasons for which a cart is denied. */
export const orderLimitErrors = {
  'checkout.named-price': namedPriceLimits,
  'checkout.sold-out': notEnoughLeft,
  'checkout.too-few': ({ name, min }: { name: string; min: number }) => `${name} is sold in orders of ${min} or more.`,
  'checkout.too-many': tooManyOf,
  'checkout.too-many-tickets': tooManyTickets,
};
