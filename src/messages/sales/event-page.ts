/** What buyers read on the page of an event. A file of its own, because the page loads no texts of organizers and operators. */
import { formatCents, formatCount } from '../format.ts';

export const eventNotFound = 'Event not found';
export const eventCancelled = 'This event has been cancelled.';
export const eventEnded = 'This event has ended.';

export const salesPaused = 'Sales are paused';
export const salesPausedAdvice = 'Tickets that were already bought stay valid.';
export const paidSalesPaused = "Only free tickets are available right now. Tickets that cost money can't be bought.";
export const placeKept = 'You keep your place in line until sales resume.';

/** Label of the field in which a buyer names the price of a ticket. */
export const yourPrice = (name: string): string => `Your price for ${name}`;
export const leastPrice = (cents: number): string =>
  cents === 0 ? 'Free, or what you like.' : `${formatCents(cents)} or more.`;

/** On the button of the checkout, while the code of a link is not applied yet. */
export const applyingCode = 'Applying your code…';

/** Of the event's series. */
export const otherDates = 'Other dates';
/** With this one. */
export const allDates = (count: number): string => `All ${formatCount(count)} dates`;

export const havePromoCode = 'Have a promo code?';

/** Of one ticket type, while others still sell. */
export const salesEnded = 'Sales ended';
/** `when` is in the event's time zone. */
export const onSaleUntil = (when: string): string => `On sale until ${when}.`;

export const onSaleAfter = (name: string): string => `On sale after ${name}.`;

export const addOnNote = "Add-on, handed out at the door. Doesn't let you in.";

/** Of tickets for people who need access; before a link to the organizer. */
export const accessNotes = {
  alone: 'Accessible. ',
  companion: 'Accessible, with a free ticket for a companion. ',
};
export const askOrganizer = 'Ask the organizer';

/** To the list of what has changed of the event. */
export const changesLink = 'Changes';

export const contactLink = 'Contact the organizer';

export const reportLink = 'Report this event';
