import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { mountRaw } from '#server/http/raw-body.ts';
import { receiveNotice } from './receive-notice.ts';

export function noticeRoutes(app: FastifyInstance, deps: Deps) {
  mountRaw(app, '/api/webhooks/stripe', (body, header) => receiveNotice(deps, body, header('stripe-signature')));
}
