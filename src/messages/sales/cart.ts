/** Why a cart can't have so many tickets. Functions of their own, because the event page loads no other errors. */
import { formatCents, plural, TICKETS } from '../format.ts';

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
