/** What buyers read about their promo code. A file of its own, because the event page loads it with the first code. */
import { formatCents } from '#domain/money.ts';
import type { PromoKind } from '#domain/sales/promo-codes.ts';
import { plural, TICKETS } from '../format.ts';

interface Terms {
  kind: PromoKind;
  /** Hundredths of a percent, or cents. */
  value: number;
}

interface Limits {
  usesLeft: number | null;
  maxPerOrder: number | null;
}

/** `20% off` */
export const promoBenefit = ({ kind, value }: Terms): string =>
  ({
    percent: `${value / 100}% off`,
    amount: `${formatCents(value)} off`,
    fixed: value === 0 ? 'Free' : formatCents(value),
    unlock: 'Unlocks tickets',
  })[kind];

export const promoField = {
  label: 'Promo code',
  apply: 'Apply',
  remove: 'Remove',
  removeCode: (code: string) => `Remove ${code}`,
  applied: ({ code, ...terms }: Terms & { code: string }) => `${code}: ${promoBenefit(terms)}`,
  /** Null without a limit. */
  limits({ usesLeft, maxPerOrder }: Limits): string | null {
    if (usesLeft === 0) return 'This code is used up.';
    const limit = Math.min(usesLeft ?? Infinity, maxPerOrder ?? Infinity);
    if (limit === Infinity) return null;
    return limit === usesLeft ? `Left for ${plural(limit, TICKETS)}.` : `For ${plural(limit, TICKETS)} per order.`;
  },
  acceptQuote: 'Nothing is reserved yet. To accept, check out again.',
};
