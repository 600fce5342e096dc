/** Sentences that every page may need, apart from the schemas: see event-words.ts. */

export const notFoundPage = 'Nothing is here.';
export const outage = 'Something went wrong on our side. Please try again.';
