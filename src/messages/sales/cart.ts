/** Why a cart can't have so many tickets. Functions of their own, because the event page loads no other errors. */
import { plural, TICKETS } from '../format.ts';

export const notEnoughLeft = ({ name }: { name: string }): string => `Not enough ${name} left. Try fewer.`;

export const tooManyOf = ({ name, max }: { name: string; max: number }): string =>
  plural(max, { one: `At most # ${name} ticket per order.`, other: `At most # ${name} tickets per order.` });

export const tooManyTickets = ({ max }: { max: number }): string =>
  `An order can have at most ${plural(max, TICKETS)}.`;
