/** Prices as text, from the plans that billing uses. Quoted by the pricing, FAQ and terms pages. */
import type { Offer, Plan } from '#contract/app/plans.ts';
import { type FeeTerms, formatTicketFee } from '#domain/fees.ts';
import { formatCount, plural } from './format.ts';

/** `$15`, or `$15.50`. */
export const planPrice = (cents: number): string => `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`;

export const activeEvents = (max: number): string => plural(max, { one: '# active event', other: '# active events' });

export const planIncludes = ({ activeEventsMax }: Plan): string[] => [
  activeEvents(activeEventsMax),
  '24/7 support',
  'Next-day payouts',
];

export const ticketFeesNotIncluded = 'Ticket fees are not included.';

export function ticketFeesMessage({ terms: { standard, large, largeFrom } }: Plan): string {
  const from = formatCount(largeFrom);
  const fee = `The ticket fee is ${formatTicketFee(standard)} per paid ticket.`;
  if (formatTicketFee(large) === formatTicketFee(standard)) return `${fee} Free tickets cost you nothing.`;
  return (
    `${fee} Sell ${from} or more paid tickets and it drops to ${formatTicketFee(large)} on every one. ` +
    `Free tickets cost you nothing, and don't count toward the ${from}.`
  );
}

/** Below the calculator. Nothing if large events pay the same. */
export function largeEventMessage({ standard, large, largeFrom }: FeeTerms, paidTickets: number): string {
  if (formatTicketFee(large) === formatTicketFee(standard)) return '';
  const from = formatCount(largeFrom);
  return paidTickets >= largeFrom
    ? `At ${from} or more paid tickets, every one gets the lower fee.`
    : `Sell ${from} or more paid tickets and every one drops to ${formatTicketFee(large)}.`;
}

/** A plan in the FAQ and the terms, after the Standard plan. */
export const otherPlanMessage = (plan: Plan): string =>
  `The ${plan.name} plan is ${planPrice(plan.terms.processingCents)} per event, with up to ` +
  `${activeEvents(plan.activeEventsMax)}. ${ticketFeesMessage(plan)}`;

/** `2`, or `2 (Standard) or 5 (Pro)` if the plans differ. */
export function ofEachPlan({ standard, others }: Offer, of: (plan: Plan) => string): string {
  const plans = [standard, ...others];
  if (plans.every((plan) => of(plan) === of(standard))) return of(standard);
  return plans.map((plan) => `${of(plan)} (${plan.name})`).join(' or ');
}

export const offerTexts = {
  plan: 'Plan',
  notLoaded: "We couldn't load the prices.",
};
