/** Checks that a webhook comes from the installation: it is signed by the Standard Webhooks specification. */
import { Webhook } from 'standardwebhooks';

/**
 * @param body the request's body as it came: parsed and written again, it may differ from what was signed
 * @param secret of the webhook endpoint, `whsec_...`
 * @returns the parsed body
 * @throws WebhookVerificationError if the signature is missing or wrong, or more than five minutes old
 */
export function verifyWebhook(body: string, headers: Headers | Record<string, string>, secret: string): unknown {
  const named = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  return new Webhook(secret).verify(body, named);
}
