/** What buyers read about their promo code. A file of its own, because the event page loads it with the first code. */
import type { PromoKind } from '#domain/sales/promo-codes.ts';
import { formatCents, plural, TICKETS } from '../format.ts';

export const USES = { one: '# use', other: '# uses' };

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
    fixed: value === 0 ? 'Free tickets' : `${formatCents(value)} per ticket`,
    unlock: 'Unlocks hidden tickets',
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
    return limit === usesLeft ? `${plural(limit, USES)} left.` : `At most ${plural(limit, TICKETS)} per order.`;
  },
  /** Null if every ticket that the code is for has the discount. */
  split: ({ discounted, fullPrice }: { discounted: number; fullPrice: number }): string | null =>
    fullPrice === 0
      ? null
      : `${plural(discounted, { one: '# ticket gets', other: '# tickets get' })} the discount, ${plural(fullPrice, { one: '# is', other: '# are' })} at full price.`,
  acceptQuote: 'Nothing is reserved yet. Check out again to accept, or change your cart.',
};
