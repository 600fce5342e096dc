/** Promo codes: what the server answers about them. */
import { formatCents, formatCount, plural, TICKETS } from '../format.ts';
import { promoField, USES } from './promo-field.ts';

export const promoCodeSaved = 'Promo code saved';
export const promoCodeEnded = 'Promo code ended';

interface Quoted {
  code: string;
  /** Over all orders; null without such a limit. */
  usesLeft: number | null;
  discounted: number;
  fullPrice: number;
  totalCents: number;
}

/** Why an order costs something else than its buyer was shown. */
export function promoQuote({ code, usesLeft, discounted, fullPrice, totalCents }: Quoted): string {
  const total = formatCents(totalCents);
  if (fullPrice === 0) return `The price has changed. With ${code}, you would pay ${total}.`;
  if (usesLeft === 0) return `${code} is used up. You would pay the full price of ${total}.`;
  const limit =
    usesLeft !== null && usesLeft === discounted
      ? `${code} has ${plural(usesLeft, USES)} left.`
      : `${code} is for ${plural(discounted, TICKETS)} in each order.`;
  return `${limit} ${promoField.split({ discounted, fullPrice })} You would pay ${total}.`;
}

export const promoErrors = {
  'promo.already-used': 'This code has been used. End it and create a new one.',
  'promo.amount-too-high': 'The amount off is higher than the price of every ticket it applies to.',
  'promo.below-uses': ({ uses }: { uses: number }) =>
    `${plural(uses, TICKETS)} have this code already, so its limit can't be lower.`,
  'promo.code-taken': 'This event already has a code that reads the same.',
  'promo.ended': 'This code has ended.',
  'promo.invalid': "This promo code isn't valid for this event.",
  'promo.nothing-hidden': 'None of these tickets is hidden, so there is nothing to unlock.',
  'promo.nothing-to-discount':
    'None of these tickets can have a discount: they are free, hidden, or their buyers name the price.',
  'promo.not-found': "We can't find this promo code.",
  'promo.too-many': ({ max }: { max: number }) =>
    `An event can have at most ${formatCount(max)} promo codes at a time.`,
  'promo.unknown-type': 'One of the ticket types no longer exists. Reload the page.',
};
