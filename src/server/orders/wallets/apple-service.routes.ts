/**
 * Apple's pass web service. Addresses, headers and status codes are Apple's, so it isn't part of the contract. No cookie is read: a
 * call is authorized by the token of the pass it is about.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { parseForm } from '#server/platform/http/read-input.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { listChanged, registerDevice, sendPass, unregisterDevice } from './apple-service.ts';

const PHONE = '/api/public/wallet/apple/v1/devices/:deviceId/registrations/:passType';
const BODY_LIMIT = 1024;
const LOG_BODY_LIMIT = 16 * 1024;

const id = z.string().check(z.regex(/^[\w.-]{1,100}$/));
const pass = z.object({ passType: id, passId: id });
const phone = z.object({ passType: id, deviceId: id });
const phoneAndPass = z.object({ passType: id, passId: id, deviceId: id });
const registration = z.object({ pushToken: z.string().check(z.regex(/^[0-9a-fA-F]{32,200}$/)) });
const tagQuery = z.object({ passesUpdatedSince: z._default(z.string().check(z.maxLength(100)), '') });
const log = z.object({ logs: z.array(z.string()).check(z.maxLength(1000)) });

/** An empty body that calls itself JSON isn't an error. */
function withoutBody({ headers }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  delete headers['content-type'];
  done();
}

export function appleServiceRoutes(app: FastifyInstance, deps: Deps): void {
  const callOf = ({ headers }: FastifyRequest, about: { passType: string; passId: string }) => ({
    passType: about.passType,
    passId: about.passId,
    authorization: headers.authorization,
  });

  app.post(`${PHONE}/:passId`, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const about = parseForm(phoneAndPass, request.params);
    const { pushToken } = parseForm(registration, request.body);
    const { deviceId } = about;
    const result = await registerDevice(deps, callOf(request, about), { deviceId, pushToken });
    return reply.code(result === 'registered' ? 201 : 200).send({});
  });

  app.delete(`${PHONE}/:passId`, { onRequest: withoutBody }, async (request, reply) => {
    const about = parseForm(phoneAndPass, request.params);
    await unregisterDevice(deps, callOf(request, about), about.deviceId);
    return reply.send({});
  });

  app.get(PHONE, { exposeHeadRoute: false }, async (request, reply) => {
    const about = parseForm(phone, request.params);
    const { passesUpdatedSince: tag } = parseForm(tagQuery, request.query);
    const changed = await listChanged(deps, { ...about, tag, ip: request.ip });
    return changed ? reply.send(changed) : reply.code(204).send();
  });

  app.get(
    '/api/public/wallet/apple/v1/passes/:passType/:passId',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const about = parseForm(pass, request.params);
      const since = new Date(request.headers['if-modified-since'] ?? '');
      const isDate = !Number.isNaN(since.getTime());
      const sent = await sendPass(deps, callOf(request, about), isDate ? since : null);
      reply.header('last-modified', sent.updatedAt.toUTCString());
      return sent.pass ? reply.type('application/vnd.apple.pkpass').send(sent.pass) : reply.code(304).send();
    },
  );

  // What phones report isn't logged: anyone can send it, and it names passes.
  app.post('/api/public/wallet/apple/v1/log', { bodyLimit: LOG_BODY_LIMIT }, async (request, reply) => {
    if (!deps.wallets.apple) throw new AppError('page.not-found');
    await consumeLimit(deps.rateLimiter, 'wallet-log', request.ip);
    const { logs } = parseForm(log, request.body);
    deps.log.warn({ subjects: logs.length }, 'a phone reported problems with passes');
    return reply.send({});
  });
}
