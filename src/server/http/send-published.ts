import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answers, answerFor } from '#server/published/answer.ts';

export function sendPublished(request: FastifyRequest, reply: FastifyReply, answers: Answers): FastifyReply {
  const { 'if-none-match': known, 'accept-encoding': accepted } = request.headers;
  const { status, headers, body } = answerFor(answers, known, accepted === undefined ? undefined : String(accepted));
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
  return reply.code(status).send(body ?? undefined);
}
