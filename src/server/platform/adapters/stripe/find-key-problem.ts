import Stripe from 'stripe';

/** Reads the balance. Returns null if Stripe accepts the key. */
export async function findKeyProblem(stripe: Stripe): Promise<string | null> {
  try {
    await stripe.balance.retrieve();
    return null;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return "Stripe doesn't accept STRIPE_SECRET_KEY: it was revoked, or has expired.";
    if (error instanceof Stripe.errors.StripePermissionError)
      return 'STRIPE_SECRET_KEY may not read the balance: use a key with all permissions that Handstamp needs.';
    return "Stripe can't be reached.";
  }
}
