import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/platform/deps.ts';
import { mountRaw } from '#server/platform/http/mount.ts';
import { receiveWebhook } from './receive-webhook.ts';

export function webhookRoutes(app: FastifyInstance, deps: Deps) {
  mountRaw(app, '/api/webhooks/stripe', (body, header) => receiveWebhook(deps, body, header('stripe-signature')));
}
