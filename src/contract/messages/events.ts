/** Sentences of the public event page, apart from the schemas: the page shows them without a schema library. */

export const eventNotFound = 'Event not found';
export const eventCancelled = 'This event has been cancelled.';
export const eventEnded = 'This event has ended.';
