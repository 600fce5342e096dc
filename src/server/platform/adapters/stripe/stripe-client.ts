import Stripe from 'stripe';
import { asHttpCall } from '#server/platform/tracing/http-call.ts';

interface StripeConfig {
  secretKey: string;
  /** The sandbox's API; null for Stripe itself. */
  api: { host: string; port: number; protocol: 'http' | 'https' } | null;
}

/** Creates every Stripe client, so that all calls share the timeout and the retry limit. */
export function createStripeClient({ secretKey, api }: StripeConfig): Stripe {
  const settings = { telemetry: false, maxNetworkRetries: 2, httpClient: tracedClient() };
  return api
    ? new SandboxClient(secretKey, { ...settings, ...api, timeout: 10_000 })
    : new Stripe(secretKey, { ...settings, timeout: 20_000, appInfo: { name: 'Handstamp' } });
}

/** Each attempt is a span. */
function tracedClient() {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, ...rest) =>
    asHttpCall({ method, host, path }, () => makeRequest(host, port, path, method, ...rest));
  return client;
}

/** Retries sooner, because failures in the sandbox are simulated. */
class SandboxClient extends Stripe {
  override getInitialNetworkRetryDelay(): number {
    return 0.05;
  }
}
