import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { largestOrder } from '#domain/order.ts';
import { notEnoughLeft, tooManyOf, tooManyTickets } from '#messages/sales/order-limits.ts';
import { type AddDenial, orderMaxOf } from './cart.ts';

type Event = Pick<PublicEvent, 'maxPerOrder'>;

const texts: Record<AddDenial, (ticket: TicketType, event: Event) => string> = {
  'too-few-left': ({ ticketName: name }) => notEnoughLeft({ name }),
  'too-many': (ticket) => tooManyOf({ name: ticket.ticketName, max: largestOrder(ticket) }),
  'too-many-tickets': (ticket, event) => tooManyTickets({ max: orderMaxOf(ticket, event) }),
};

/** Why a cart can't have so many of a ticket type. */
export const denialText = (denial: AddDenial, ticket: TicketType, event: Event): string => texts[denial](ticket, event);
