/** Sentences that every page may need, apart from the schemas: see event-words.ts. */

export const notFoundPage = 'Nothing is here.';
export const outage = 'Something went wrong on our side. Please try again.';
export const screenNotLoaded = "This page didn't load. Check your connection and try again.";
export const serverSilent = "The server doesn't answer. Check your connection and try again.";
export const tryingAgain = 'Trying again…';
export const mapNotLoaded = "The map didn't load.";
