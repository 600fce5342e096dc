/** The one place that turns a thrown error into an answer: `{ msg }` and a status. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  bodyTooLarge,
  notFoundPage,
  notJson,
  outage,
  paymentsUnreachable,
  tooBusy,
  unreadableBody,
} from '#contract/sentences.ts';
import { isUnavailable } from '#server/database.ts';
import { LaneFull } from '#server/lane.ts';
import { ProviderRefused, ProviderUnreachable } from '#server/ports/provider-error.ts';
import { Refusal, type RefusalKind } from '#server/refusal.ts';

const STATUS: Record<RefusalKind, number> = {
  invalid: 400,
  'signed-out': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many': 429,
  unavailable: 503,
};

const PROVIDER_RETRY_SECONDS = 30;
const BUSY_RETRY_SECONDS = 3;

export function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error: Error | FastifyError, request, reply) => {
    const expected = expectedRefusal(error);
    const refusal = expected ?? refusalOf(error);
    if (!refusal) return answerBug(error, request, reply);

    // Whoever has hung up meanwhile is nothing to note: in a rush they are many, too.
    if (!expected && !request.raw.socket.destroyed) request.log.warn({ err: error }, 'request refused');
    if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
    return reply.code(STATUS[refusal.kind]).send({ msg: refusal.message, ...refusal.facts });
  });

  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ msg: notFoundPage }));
}

function answerBug(error: Error, request: FastifyRequest, reply: FastifyReply) {
  request.log.error({ err: error }, 'unexpected error');
  return reply.code(500).send({ msg: outage, requestId: request.id });
}

/** Those of which nobody needs to know: in a rush they are many. */
function expectedRefusal(error: Error | FastifyError): Refusal | null {
  if (error instanceof LaneFull) return new Refusal('unavailable', tooBusy, BUSY_RETRY_SECONDS);
  return error instanceof Refusal ? error : null;
}

/** What the framework or a provider refused, in our words; `null` for a bug. */
function refusalOf(error: Error | FastifyError): Refusal | null {
  if (error instanceof ProviderUnreachable)
    return new Refusal('unavailable', paymentsUnreachable, PROVIDER_RETRY_SECONDS);
  if (isUnavailable(error)) return new Refusal('unavailable', tooBusy, BUSY_RETRY_SECONDS);
  if (error instanceof ProviderRefused) return new Refusal('unavailable', paymentsUnreachable, PROVIDER_RETRY_SECONDS);

  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new Refusal('too-large', bodyTooLarge);
  if (status === 415) return new Refusal('wrong-type', notJson);
  if (status !== undefined && status >= 400 && status < 500) return new Refusal('invalid', unreadableBody);
  return null;
}
