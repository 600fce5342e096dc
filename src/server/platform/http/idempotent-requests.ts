/** `Idempotency-Key`: what a program sends again with it runs once. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/platform/app-error.ts';
import type { Answer, Idempotency, StartedRequest } from '#server/platform/idempotency/idempotency.ts';
import type { KeyHolder } from './callers.ts';

const HEADER = 'Idempotency-Key';
const KEY = /^[\x21-\x7e]{1,255}$/;

const started = new WeakMap<FastifyRequest, StartedRequest>();

/** Null for a request without the header, and for one that changes nothing when it is repeated. */
export async function repeatSafely(
  { idempotency }: { idempotency: Idempotency },
  request: FastifyRequest,
  { keyId, fields }: Pick<KeyHolder, 'keyId'> & { fields: unknown },
): Promise<{ id: string | null; answer: Answer | null } | null> {
  const idempotencyKey = request.headers[HEADER.toLowerCase()];
  if (request.method !== 'POST' || idempotencyKey === undefined) return null;
  if (typeof idempotencyKey !== 'string' || !KEY.test(idempotencyKey))
    throw new AppError('form.invalid', { field: HEADER, reason: 'invalid' });
  const path = request.routeOptions.url ?? '';
  const begun = await idempotency.begin({ keyId, idempotencyKey, method: request.method, path, fields });
  if ('answer' in begun) return { id: null, answer: begun.answer };
  started.set(request, begun.started);
  return { id: begun.started.id, answer: null };
}

export const replay = (reply: FastifyReply, { status, body }: Answer) =>
  reply.code(status).header('idempotency-replayed', 'true').type('application/json; charset=utf-8').send(body);

/** Before it is sent, so that a program that has its answer gets the same one again. */
export async function keepAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
  const running = started.get(request);
  started.delete(request);
  try {
    await running?.end({ status: reply.statusCode, body: String(payload) });
  } catch (error) {
    // It was done, and its caller learns that.
    request.log.warn({ err: error }, 'could not store the answer of a repeatable request');
  }
}
