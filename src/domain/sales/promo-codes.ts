/** What a promo code does to the prices of a cart. */
import { TICKET_PRICE_MIN_CENTS } from '../limits.ts';

export const PROMO_KINDS = ['percent', 'amount', 'fixed', 'unlock'] as const;

export type PromoKind = (typeof PROMO_KINDS)[number];

export interface PromoTerms {
  kind: PromoKind;
  /** `percent`: hundredths of a percent off. `amount`: cents off. `fixed`: the price in cents. `unlock`: 0. */
  value: number;
  /** Null: all types with a fixed price that are not hidden, or with `unlock` all hidden ones. */
  typeIds: readonly string[] | null;
}

/** A code that is valid now. */
export interface PromoCode extends PromoTerms {
  id: string;
  code: string;
  /** Discounted or unlocked tickets in one order; null without a limit. */
  maxPerOrder: number | null;
  /** The same over all orders. */
  usesLeft: number | null;
  /** Counts its edits. */
  version: number;
}

interface PromotedType {
  priceCents: number;
  isHidden: boolean;
  hasNamedPrice: boolean;
}

/** Whether a code of this kind can be for the type. */
export const canBeFor = (kind: PromoKind, { priceCents, isHidden, hasNamedPrice }: PromotedType): boolean =>
  kind === 'unlock' ? isHidden : priceCents > 0 && !isHidden && !hasNamedPrice;

interface ListedType {
  ticketTypeId: string;
  listPriceCents: number;
}

/** Rounded for each ticket. Never above the list price, and free instead of below the lowest price of a ticket. */
export function promoPrice(listPriceCents: number, { kind, value }: Pick<PromoTerms, 'kind' | 'value'>): number {
  const off = {
    percent: Math.floor((listPriceCents * value + 5_000) / 10_000),
    amount: value,
    fixed: listPriceCents - value,
    unlock: 0,
  }[kind];
  const price = Math.min(listPriceCents, listPriceCents - off);
  return price < TICKET_PRICE_MIN_CENTS ? 0 : price;
}

/** Whether the price of the type is lower with the code. */
export function isDiscounted({ ticketTypeId, listPriceCents }: ListedType, promo: PromoTerms): boolean {
  return (promo.typeIds?.includes(ticketTypeId) ?? true) && promoPrice(listPriceCents, promo) < listPriceCents;
}

/** Whether the code sells a type that is hidden without it. */
export const isUnlocked = (ticketTypeId: string, { kind, typeIds }: PromoTerms): boolean =>
  kind === 'unlock' && (typeIds?.includes(ticketTypeId) ?? true);

/** How many tickets of one order can have the code. */
export const usesPerOrder = ({ usesLeft, maxPerOrder }: Pick<PromoCode, 'usesLeft' | 'maxPerOrder'>): number =>
  Math.min(usesLeft ?? Infinity, maxPerOrder ?? Infinity);

interface Line extends ListedType {
  quantity: number;
}

/**
 * Splits lines into the tickets with the discount and those without: the most expensive ones have it first. Of each type at most one
 * line of either kind, in the order of the cart.
 */
export function discountLines<Of extends Line>(
  lines: readonly Of[],
  promo: Omit<PromoCode, 'version'>,
): (Of & { unitPriceCents: number; promoCodeId: string | null })[] {
  let left = usesPerOrder(promo);
  const discounted = new Map<Of, number>();
  const eligible = lines.filter((line) => isDiscounted(line, promo));
  for (const line of eligible.toSorted((one, other) => other.listPriceCents - one.listPriceCents)) {
    const quantity = Math.min(line.quantity, left);
    discounted.set(line, quantity);
    left -= quantity;
  }
  return lines.flatMap((line) => {
    const quantity = discounted.get(line) ?? 0;
    const unitPriceCents = promoPrice(line.listPriceCents, promo);
    const parts = [
      { ...line, unitPriceCents, quantity, promoCodeId: promo.id },
      { ...line, unitPriceCents: line.listPriceCents, quantity: line.quantity - quantity, promoCodeId: null },
    ];
    return parts.filter((part) => part.quantity > 0);
  });
}

/** How the tickets that the code is for are split: with the discount, and at full price because its uses are limited. */
export function countDiscounted(
  lines: readonly (Line & { promoCodeId: string | null })[],
  promo: PromoTerms,
): { discounted: number; fullPrice: number } {
  const count = (some: typeof lines) => some.reduce((sum, { quantity }) => sum + quantity, 0);
  const isFor = lines.filter((line) => isDiscounted(line, promo));
  const discounted = count(isFor.filter(({ promoCodeId }) => promoCodeId !== null));
  return { discounted, fullPrice: count(isFor) - discounted };
}
