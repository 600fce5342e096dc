import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/platform/deps.ts';
import { mountRaw } from '#server/platform/http/mount.ts';
import { receiveNotice } from './receive-webhook.ts';

export function noticeRoutes(app: FastifyInstance, deps: Deps) {
  mountRaw(app, '/api/webhooks/stripe', (body, header) => receiveNotice(deps, body, header('stripe-signature')));
}
