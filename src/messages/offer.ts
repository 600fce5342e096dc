/** Prices as text, built from the constants that billing uses. Quoted by the pricing, FAQ and terms pages. */
import { formatTicketFee, LARGE_EVENT_TICKET_FEE, LARGE_EVENT_TICKETS, STANDARD_TICKET_FEE } from '#domain/fees.ts';
import { ACTIVE_EVENTS_MAX, PROCESSING_FEE_CENTS } from '#domain/plan.ts';

export const standardPrice = `$${PROCESSING_FEE_CENTS / 100}`;
export const standardIncludes = [`${ACTIVE_EVENTS_MAX} active events`, '24/7 support', 'Next-day payouts'];
export const ticketFeesNotIncluded = 'Ticket fees are not included.';
export const ticketFeesMessage =
  `The ticket fee is ${formatTicketFee(STANDARD_TICKET_FEE)} per paid ticket. ` +
  `Sell ${LARGE_EVENT_TICKETS} or more paid tickets and it drops to ${formatTicketFee(LARGE_EVENT_TICKET_FEE)} on every one. ` +
  `Free tickets cost you nothing, and don't count toward the ${LARGE_EVENT_TICKETS}.`;
