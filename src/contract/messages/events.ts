/** Messages of the public event page. Separate from the schemas, to keep the schema library out of the page. */

export const eventNotFound = 'Event not found';
export const eventCancelled = 'This event has been cancelled.';
export const eventEnded = 'This event has ended.';
