import Stripe from 'stripe';

interface StripeConfig {
  secretKey: string;
  /** Where Stripe's API is spoken when it is not Stripe itself: the sandbox. */
  api: { host: string; port: number; protocol: 'http' | 'https' } | null;
}

/** The only place that makes a client, so that every call has the same time limit and number of tries. */
export function createStripeClient({ secretKey, api }: StripeConfig): Stripe {
  const settings = { telemetry: false, maxNetworkRetries: 2 };
  return api
    ? new SandboxClient(secretKey, { ...settings, ...api, timeout: 10_000 })
    : new Stripe(secretKey, { ...settings, timeout: 20_000, appInfo: { name: 'Handstamp' } });
}

/** Repeats failed calls sooner: what fails in the sandbox is meant to, and nobody has to recover there. */
class SandboxClient extends Stripe {
  override getInitialNetworkRetryDelay(): number {
    return 0.05;
  }
}
