import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/checkout.ts';
import { requireTurn } from '#server/events/waiting-room/require-turn.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { createCheckoutSession } from './create-checkout-session.ts';
import { leavePaymentLine } from './leave-queue.ts';
import { readConfirmation } from './read-confirmation.ts';
import { readHeldCheckout } from './read-queued-checkout.ts';

export function checkoutRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.createCheckoutSession, async (cart, { ip, cookies }) => {
    const place = await requireTurn(deps, cart.eventId, cookies.read('place'));
    return createCheckoutSession(deps, place ? { ...cart, cartId: place, buysOnce: true } : cart, ip);
  });

  mount(app, contract.heldCheckout, ({ handle }) => readHeldCheckout(deps, handle));

  mount(app, contract.leaveHeldCheckout, async ({ handle }) => {
    await leavePaymentLine(deps, handle);
    return { msg: contract.heldGivenBack };
  });

  mount(app, contract.checkoutSession, ({ sessionId }) => readConfirmation(deps, sessionId));
}
