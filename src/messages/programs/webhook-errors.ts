/** What goes wrong with webhooks. */
import { ENDPOINTS_MAX } from '#domain/accounts/webhooks.ts';

export const webhookErrors = {
  'webhook.url-refused': 'Use an https address that is reachable from the internet, on port 443 or 8443.',
  'webhook.too-many': `You have ${ENDPOINTS_MAX} webhooks. End one first.`,
  'webhook.unknown': "This webhook doesn't exist anymore.",
  'webhook.unknown-delivery': 'This delivery is no longer in the log.',
  'webhook.ended': 'This webhook has ended. Make a new one.',
  'changes.cursor-reset': 'This cursor no longer works. Read everything again, without a cursor.',
};
