/** Any request. */
import { formText } from './forms.ts';
import { notFoundPage, outage } from './pages.ts';

/** An error that a later attempt may not meet. */
export const later = (text: string) => (_: { retryAfterSeconds: number }) => text;

export const tooManyAttempts = 'Too many attempts. Please wait a moment and try again.';
export const webhookReceived = 'Received.';

export const requestErrors = {
  /** The first rule of the form that the input breaks. */
  'form.invalid': formText,
  'input.invalid-cursor': "This cursor isn't valid for this list.",
  'page.not-found': notFoundPage,
  'rate-limit.exceeded': later(tooManyAttempts),
  'request.cross-site': 'This request came from another site.',
  'request.not-json': 'Send the request as JSON.',
  'request.not-multipart': 'Send the files as a multipart form.',
  'request.too-large': 'The request is too large.',
  'request.too-slow': 'The request took too long to arrive.',
  'request.unreadable': "We couldn't read the request.",
  'server.busy': later("We're very busy right now. Please try again in a few seconds."),
  'server.outage': outage,
  'webhook.bad-signature': "The signature doesn't match.",
};
