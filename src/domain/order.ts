/** What an order may be: when its event sells, at which prices, and within which limits. */
import {
  ORDER_TICKETS_MAX,
  ORDER_TOTAL_MAX_CENTS,
  ORDER_TOTAL_MIN_CENTS,
  TICKET_PRICE_MAX_CENTS,
  TICKET_PRICE_MIN_CENTS,
} from './limits.ts';
import { dollarsOf } from './money.ts';
import { nameKey } from './name-key.ts';
import { discountLines, isUnlocked, type PromoCode, usesPerOrder } from './sales/promo-codes.ts';

/** Identifies an order. Keys of rows that belong to an event include the event's id. */
export interface OrderRef {
  eventId: string;
  orderId: string;
}

/** A choice of the buyer. An id wins over a name; a price is what the buyer was shown, in dollars. */
interface CartItem {
  ticketId?: string | undefined;
  ticketName: string;
  ticketPrice?: number | undefined;
  namedPriceCents?: number | undefined;
  quantity: number;
}

/** What a cart is priced with. */
export interface EventToSell {
  endsAt: Date;
  cancelledAt: Date | null;
  pausedSales: PausedSales | null;
  now: Date;
  timezone: string;
  /** Tickets of all types together, without add-ons. */
  maxPerOrder: number;
  types: readonly TypeToSell[];
}

export interface TypeToSell extends SalesWindow, QuantityLimits, Succession {
  id: string;
  name: string;
  priceCents: number;
  /** Sold only with a promo code that unlocks it. */
  isHidden: boolean;
  /** Buyers name the price of a ticket, at least `priceCents`. */
  hasNamedPrice: boolean;
  /** Handed out at the door; doesn't admit. */
  isAddOn: boolean;
}

export interface PricedLine {
  ticketTypeId: string;
  /** Name and price as shown to the buyer. */
  ticketName: string;
  listPriceCents: number;
  /** With the promo code, if there is one. */
  unitPriceCents: number;
  quantity: number;
  promoCodeId: string | null;
}

export type CartDenial =
  | {
      reason:
        | SaleDenial
        | Exclude<OrderDenial, 'too-many-tickets'>
        | 'unknown-ticket'
        | 'price-changed'
        | 'sales-paused';
    }
  /** `after` names the type that it waits for. Without both, its sales have ended. */
  | { reason: 'not-on-sale'; params: { name: string; from: string | null; after: string | null; timezone: string } }
  | { reason: 'too-few'; params: { name: string; min: number } }
  | { reason: 'too-many'; params: { name: string; max: number } }
  | { reason: 'too-many-tickets'; params: { max: number } }
  | { reason: 'named-price'; params: { name: string; minCents: number } }
  /** Of tickets that are sold only with the code. */
  | { reason: 'promo-used-up'; params: { promo: string; left: number } };

/** Whether the denial leaves a reservation of the same cart that was made before it. */
export const MAY_BE_LATE: Readonly<Record<CartDenial['reason'], boolean>> = {
  'not-on-sale': true,
  'too-few': true,
  'too-many': true,
  'too-many-tickets': true,
  'promo-used-up': true,
  'event-cancelled': false,
  'event-ended': false,
  'sales-paused': false,
  'price-changed': false,
  'named-price': false,
  'unknown-ticket': false,
  'empty-cart': false,
  'total-too-small': false,
  'total-too-large': false,
};

/**
 * Resolves the cart to the event's names and prices, in cart order: one line per ticket type, or two where only some tickets of it have
 * the discount.
 */
export function priceCart(
  items: readonly CartItem[],
  event: EventToSell,
  promo: PromoCode | null = null,
): PricedLine[] | CartDenial {
  const saleDenial = denySale(event, event.now);
  if (saleDenial) return { reason: saleDenial };
  const lines = linesOf(items, event, promo);
  if ('reason' in lines) return lines;

  const limited = [...lines].map((line) => denyLine(line, event)).find((denial) => denial !== null);
  if (limited) return limited;
  const locked = promo && denyUnlocked(lines, promo);
  if (locked) return locked;
  const priced = withPromo(lines, promo);
  const denial = denyOrder(priced);
  if (denial)
    return denial === 'too-many-tickets' ? { reason: denial, params: { max: ORDER_TICKETS_MAX } } : { reason: denial };
  const admitting = [...lines].filter(([type]) => !type.isAddOn).reduce((sum, [, { quantity }]) => sum + quantity, 0);
  return admitting > event.maxPerOrder ? { reason: 'too-many-tickets', params: { max: event.maxPerOrder } } : priced;
}

/** The same, whatever sells now and however many: to find a reservation that was made in time. */
export function resolveCart(
  items: readonly CartItem[],
  event: EventToSell,
  promo: PromoCode | null = null,
): PricedLine[] | CartDenial {
  const lines = linesOf(items, event, promo);
  return 'reason' in lines ? lines : withPromo(lines, promo);
}

type Lines = Map<TypeToSell, PricedLine>;

/** At list prices. Tickets that the code unlocks have it already. */
function linesOf(items: readonly CartItem[], event: EventToSell, promo: PromoCode | null): Lines | CartDenial {
  const lines: Lines = new Map();
  for (const item of items) {
    const type = item.ticketId
      ? event.types.find((one) => one.id === item.ticketId)
      : typeNamed(item.ticketName, event);
    const isHidden = type?.isHidden === true;
    if (!type || (isHidden && !(promo && isUnlocked(type.id, promo)))) return { reason: 'unknown-ticket' };
    const known = lines.get(type);
    const priceCents = type.hasNamedPrice ? item.namedPriceCents : type.priceCents;
    // All tickets of a type have one price in an order.
    const isNamed = isNamedPrice(priceCents, type.priceCents) && (known?.listPriceCents ?? priceCents) === priceCents;
    if (priceCents === undefined || (type.hasNamedPrice && !isNamed))
      return { reason: 'named-price', params: { name: type.name, minCents: type.priceCents } };
    if (isPaused(event.pausedSales, priceCents)) return { reason: 'sales-paused' };
    if (item.ticketPrice !== undefined && item.ticketPrice !== dollarsOf(type.priceCents))
      return { reason: 'price-changed' };

    const quantity = (known?.quantity ?? 0) + item.quantity;
    const price = { listPriceCents: priceCents, unitPriceCents: priceCents };
    const promoCodeId = isHidden && promo ? promo.id : null;
    lines.set(type, { ticketTypeId: type.id, ticketName: type.name, ...price, quantity, promoCodeId });
  }
  return lines;
}

/** Whether a buyer may name it: free if the type can be, and otherwise a price that can be paid. */
export const isNamedPrice = (cents: number | undefined, minCents: number): boolean =>
  cents !== undefined &&
  cents >= minCents &&
  cents <= TICKET_PRICE_MAX_CENTS &&
  (cents === 0 || cents >= TICKET_PRICE_MIN_CENTS);

function withPromo(lines: Lines, promo: PromoCode | null): PricedLine[] {
  const listed = [...lines.values()];
  return promo && promo.kind !== 'unlock' ? discountLines(listed, discountOf([...lines.keys()], promo)) : listed;
}

/** The code as it applies to these types: a price that buyers name has no discount. */
export function discountOf(types: readonly TypeToSell[], promo: PromoCode): PromoCode {
  const fixed = types.filter(({ id, hasNamedPrice }) => !hasNamedPrice && (promo.typeIds?.includes(id) ?? true));
  return { ...promo, typeIds: fixed.map(({ id }) => id) };
}

function denyUnlocked(lines: Lines, promo: PromoCode): CartDenial | null {
  const unlocked = [...lines].filter(([type]) => type.isHidden);
  const wanted = unlocked.reduce((sum, [, { quantity }]) => sum + quantity, 0);
  const left = usesPerOrder(promo);
  return wanted > left ? { reason: 'promo-used-up', params: { promo: promo.code, left } } : null;
}

function denyLine([type, { quantity }]: [TypeToSell, PricedLine], event: EventToSell): CartDenial | null {
  const { name, salesFrom } = type;
  const closed = closedBecause(type, event.now);
  if (closed) {
    const from = closed === 'not-yet' ? (salesFrom?.toISOString() ?? null) : null;
    const awaited = closed === 'waits' ? event.types.find(({ id }) => id === type.opensAfter) : undefined;
    return {
      reason: 'not-on-sale',
      params: { name, from, after: awaited?.name ?? null, timezone: event.timezone },
    };
  }
  const reason = denyQuantity(quantity, type);
  if (reason === 'too-few') return { reason, params: { name, min: smallestOrder(type) } };
  return reason && { reason, params: { name, max: largestOrder(type) } };
}

function typeNamed(name: string, { types }: EventToSell) {
  const type = types.find((one) => one.name === name);
  if (type) return type;
  const key = nameKey(name);
  return types.find((one) => nameKey(one.name) === key);
}

/** When a ticket type sells: from the first instant on, and before the second. Null: as long as the event sells. */
export interface SalesWindow {
  salesFrom: Date | null;
  salesUntil: Date | null;
}

/** Why a ticket type is not on sale while its event is. */
export const CLOSED_REASONS = ['not-yet', 'over', 'waits'] as const;

export function closedBecause(type: SalesWindow & Succession, now: Date): (typeof CLOSED_REASONS)[number] | null {
  return denyByWindow(type, now) ?? (type.opensAfter !== null && type.openedAt === null ? 'waits' : null);
}

export function denyByWindow({ salesFrom, salesUntil }: SalesWindow, now: Date): 'not-yet' | 'over' | null {
  if (salesUntil && now >= salesUntil) return 'over';
  return salesFrom && now < salesFrom ? 'not-yet' : null;
}

/** A type may open after another one. Once it has, it stays open. */
export interface Succession {
  opensAfter: string | null;
  openedAt: Date | null;
}

interface AwaitedType extends SalesWindow, QuantityLimits {
  id: string;
  availableToBuy: number;
}

/** Whether fewer are left of the type it waits for than an order must have, or that has ended or is gone: the first opens this one. */
export function isDueToOpen({ opensAfter, openedAt }: Succession, types: readonly AwaitedType[], now: Date): boolean {
  if (opensAfter === null || openedAt !== null) return false;
  const awaited = types.find(({ id }) => id === opensAfter);
  return !awaited || isSoldOut(awaited.availableToBuy, awaited) || denyByWindow(awaited, now) === 'over';
}

/** How many of a ticket type one order takes. */
export interface QuantityLimits {
  minPerOrder: number;
  /** Null: as many as the event's orders take. */
  maxPerOrder: number | null;
}

/** As pages have them: absent where there is none. */
export type ShownLimits = { [Limit in keyof QuantityLimits]?: QuantityLimits[Limit] | undefined };

type QuantityDenial = 'too-few' | 'too-many';

export function denyQuantity(quantity: number, { minPerOrder = 1, maxPerOrder }: ShownLimits): QuantityDenial | null {
  if (quantity < minPerOrder) return 'too-few';
  return quantity > (maxPerOrder ?? Number.POSITIVE_INFINITY) ? 'too-many' : null;
}

/** The largest quantity up to this one that an order can have; 0 if there is none. */
export function quantityUpTo(most: number, limits: ShownLimits): number {
  for (let quantity = Math.min(most, ORDER_TICKETS_MAX); quantity > 0; quantity--)
    if (denyQuantity(quantity, limits) === null) return quantity;
  return 0;
}

/** The smallest quantity, from this one on, that an order can have; null if there is none. */
export function quantityFrom(least: number, limits: ShownLimits): number | null {
  for (let quantity = least; quantity <= ORDER_TICKETS_MAX; quantity++)
    if (denyQuantity(quantity, limits) === null) return quantity;
  return null;
}

/** 0 for a type that no order can have; forms deny such limits. */
export const smallestOrder = (limits: ShownLimits): number => quantityFrom(1, limits) ?? 0;
export const largestOrder = (limits: ShownLimits): number => quantityUpTo(ORDER_TICKETS_MAX, limits);

/** No order can have what is left. The same as is_sold_out in SQL; a test compares them. */
export const isSoldOut = (left: number, limits: ShownLimits): boolean => quantityUpTo(left, limits) === 0;

/** What a brake leaves on sale: nothing, or free tickets. */
export type PausedSales = 'all' | 'paid';

export const isPaused = (pausedSales: PausedSales | null, priceCents: number): boolean =>
  pausedSales === 'all' || (pausedSales === 'paid' && priceCents > 0);

export type SaleDenial = 'event-cancelled' | 'event-ended';

/** Sales stay open until the event ends: people also buy at the door. */
export function denySale(event: { endsAt: Date; cancelledAt: Date | null }, now: Date): SaleDenial | null {
  if (event.cancelledAt) return 'event-cancelled';
  if (now >= event.endsAt) return 'event-ended';
  return null;
}

export type OrderDenial = 'empty-cart' | 'too-many-tickets' | 'total-too-small' | 'total-too-large';

export interface OrderLine {
  quantity: number;
  unitPriceCents: number;
}

/** What holds for every order, with add-ons. */
export function denyOrder(lines: readonly OrderLine[]): OrderDenial | null {
  const tickets = lines.reduce((sum, line) => sum + line.quantity, 0);
  if (tickets === 0) return 'empty-cart';
  if (tickets > ORDER_TICKETS_MAX) return 'too-many-tickets';
  const totalCents = orderTotalCents(lines);
  // A free order is never charged, so the processor's minimum does not apply.
  if (totalCents > 0 && totalCents < ORDER_TOTAL_MIN_CENTS) return 'total-too-small';
  if (totalCents > ORDER_TOTAL_MAX_CENTS) return 'total-too-large';
  return null;
}

export function orderTotalCents(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
}
