import Stripe from 'stripe';

interface StripeConfig {
  secretKey: string;
  /** Where Stripe's API is spoken when it is not Stripe itself: the sandbox. */
  api: { host: string; port: number; protocol: 'http' | 'https' } | null;
}

/** The only place that makes a client, so that every call has the same time limit and number of tries. */
export function createStripeClient({ secretKey, api }: StripeConfig): Stripe {
  return new Stripe(secretKey, {
    telemetry: false,
    maxNetworkRetries: 2,
    timeout: api ? 10_000 : 20_000,
    ...(api ?? { appInfo: { name: 'Handstamp' } }),
  });
}
