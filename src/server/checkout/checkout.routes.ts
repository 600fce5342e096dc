import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/checkout.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { createCheckoutSession } from './create-checkout-session.ts';
import { readConfirmation } from './read-confirmation.ts';

export function checkoutRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.createCheckoutSession, (cart, { ip }) => createCheckoutSession(deps, cart, ip));

  mount(app, contract.checkoutSession, ({ sessionId }) => readConfirmation(deps, sessionId));
}
