/**
 * How long tickets are kept. A hold without a payment page lives as long as its buyer asks for the page; with one, as long
 * as the page.
 */

/** What a waiting buyer is promised, without having asked again. */
export const PATIENCE_MINUTES = 2;
/** What a hold without a page gets; more than promised, so that not every question has to be written down. */
export const UNOPENED_MINUTES = 3;
/** The card company's shortest page is 30 minutes; two more absorb the difference between the clocks, and a call that is slow. */
export const PAGE_MINUTES = 32;
/** A page that is asked for again under the same key must have the same end, and still be long enough. */
export const SHORTEST_PAGE_MINUTES = 31.25;
