/** What Stripe's answers say. Errors become `ProcessorUnreachable` (no clear answer) or `ProcessorDenied`. */
import Stripe from 'stripe';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';

export async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? translation(error) : error;
  }
}

function translation(error: Stripe.errors.StripeError) {
  if (isUnclear(error)) {
    const isTooFast = error instanceof Stripe.errors.StripeRateLimitError;
    return new ProcessorUnreachable(error.message, { cause: error, isFinal: isRepeated(error), isTooFast });
  }
  return new ProcessorDenied(error.message, error.code ?? error.type, { cause: error });
}

/** After a connection or server error, the call may or may not have been executed. */
function isUnclear(error: Stripe.errors.StripeError): boolean {
  const status = error.statusCode ?? 0;
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    status >= 500 ||
    // Another request with the same idempotency key is in progress.
    status === 409
  );
}

/**
 * Whether the error is a replay of the stored answer to an idempotency key. The original request is then final and was not
 * executed, so a request with a new key is safe.
 */
export const isRepeated = ({ headers }: Stripe.errors.StripeError) => headers?.['idempotent-replayed'] === 'true';

/** A definite denial of the request itself, as opposed to a conflict or a rate limit. */
export const isNo = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && !isUnclear(error);

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.code === 'resource_missing' || error.statusCode === 404);
}

/**
 * Asserts the type of a response. The SDK takes any body without an `error` member for a success, whatever the status, so a
 * proxy's error page would pass for an account.
 */
export function expectAnswer<Answer extends { object: string }>(
  answer: Answer,
  object: Answer['object'],
  required: readonly (keyof Answer & string)[],
): Answer {
  const isValid = answer.object === object && required.every((field) => Boolean(answer[field]));
  if (!isValid) throw new ProcessorUnreachable(`Stripe answered something that is not a ${object}.`);
  return answer;
}

/** Known once the charge has a balance transaction, and only if that was expanded. */
export function feeOfCharge(charge: Stripe.PaymentIntent['latest_charge']): number | null {
  if (!charge || typeof charge === 'string') return null;
  const transaction = charge.balance_transaction;
  return transaction && typeof transaction !== 'string' ? transaction.fee : null;
}
