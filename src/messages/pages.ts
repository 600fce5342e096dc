/** Every page. */

export const notFoundPage = "We can't find that page.";
export const pageNotFound = 'Page not found';
export const termsTitle = 'Terms And Conditions';
export const outage = 'Something went wrong on our side. Please try again.';
export const errorOccurred = 'An error occurred. Please try again.';
/** Why something failed, where the server gave no reason. */
export const unknownError = 'Unknown error';
export const submissionFailed = (reason: string) => `Submission failed: ${reason}`;
export const screenNotLoaded = "This page didn't load. Check your connection and try again.";
export const serverSilent = "We can't reach the server. Check your connection and try again.";
export const tryingAgain = 'Trying again…';
export const linkNotSent = "We couldn't send the link. Please try again.";
export const downloadFailed = "The download didn't start. Please try again.";
export const noTokenInUrl = 'No token found in the URL.';
export const linkExpired = 'This link has expired. Please request a new one.';
export const linkCopied = 'Link copied to clipboard!';
export const linkNotCopied = 'Failed to copy the link :(';
export const irreversible = "This can't be undone.";
export const mapNotLoaded = "The map didn't load.";

// Some browsers cache a failed module until a reload: docs/decisions/0035.
export const mapNeedsReload = "The map didn't load. Reload the page to see it.";
export const mapNeedsReloadAfterSaving = "The map didn't load. To see it, save first, then reload the page.";
export const checkoutNotLoaded =
  "The checkout didn't load. Check your connection, then reload the page. Your cart is saved.";
export const saleNotLoaded =
  "Part of this page didn't load. Check your connection, then reload the page. Your cart and your place in line are saved.";
export const queuedCheckoutNotLoaded =
  "Part of this page didn't load. Check your connection, then reload the page. We're still holding your tickets.";

export const tryAgain = 'Try again';
