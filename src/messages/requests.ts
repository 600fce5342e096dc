/** Any request. */

export const signedOut = 'Please log in.';
export const forbidden = "Your role in this organization doesn't allow this.";
export const crossSite = 'This request came from another site.';
export const tooManyAttempts = 'Too many attempts. Please wait a moment and try again.';
export const notJson = 'Send the request as JSON.';
export const notMultipart = 'Send the files as a multipart form.';
export const unreadableBody = "We couldn't read the request.";
export const bodyTooLarge = 'The request is too large.';
export const requestTooSlow = 'The request took too long to arrive.';
export const tooBusy = "We're very busy right now. Please try again in a few seconds.";
export const paymentsUnreachable = 'Payments are down right now. Please try again in a minute.';

export const webhookReceived = 'Received.';
export const badSignature = "The signature doesn't match.";
