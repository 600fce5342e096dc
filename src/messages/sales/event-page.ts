/** What buyers read on the page of an event. A file of its own, because the page loads no texts of organizers and operators. */
export const eventNotFound = 'Event not found';
export const eventCancelled = 'This event has been cancelled.';
export const eventEnded = 'This event has ended.';

export const salesPaused = 'Sales are paused';
export const salesPausedAdvice = 'Tickets that were already bought stay valid.';
export const paidSalesPaused = "Only free tickets are available right now. Tickets that cost money can't be bought.";
export const placeKept = 'You keep your place in line until sales resume.';

export const reportLink = 'Report this event';
