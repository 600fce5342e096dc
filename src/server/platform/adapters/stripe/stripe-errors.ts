/** What Stripe's errors mean to the product: it did not answer, or it said no. */
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

/** A broken connection or a server error says nothing about what became of the call, so it is never read as a no. */
function isUnclear(error: Stripe.errors.StripeError): boolean {
  const status = error.statusCode ?? 0;
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    status >= 500 ||
    // The same key is being worked on right now.
    status === 409
  );
}

/**
 * Whether this error is the stored answer to an earlier call with the same key. Then whatever was asked under the key is
 * over, and will never be done: only now may the same be asked for under another one.
 */
export const isRepeated = ({ headers }: Stripe.errors.StripeError) => headers?.['idempotent-replayed'] === 'true';

/** A clear no to what was asked, and not to the moment or the way of asking. */
export const isNo = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && !isUnclear(error);

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.code === 'resource_missing' || error.statusCode === 404);
}

/**
 * Asserts that an answer is what was asked for. The SDK resolves a body without an `error` member as success,
 * whatever its status: a proxy's error page would pass for an account.
 */
export function expectAnswer<Answer extends { object: string }>(
  answer: Answer,
  object: Answer['object'],
  required: readonly (keyof Answer & string)[],
): Answer {
  const isWhole = answer.object === object && required.every((field) => Boolean(answer[field]));
  if (!isWhole) throw new ProcessorUnreachable(`Stripe answered something that is not a ${object}.`);
  return answer;
}
