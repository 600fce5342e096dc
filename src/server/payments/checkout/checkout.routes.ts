import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/checkout.ts';
import * as page from '#contract/app/sales/checkout-page.ts';
import { applyPromoCode as applyEndpoint } from '#contract/app/sales/promo-codes.ts';
import * as transfers from '#contract/app/sales/ticket-transfers.ts';
import { reservationReleased } from '#messages/checkout.ts';
import { addressCorrected } from '#messages/sales/ticket-transfers.ts';
import { requireTurn } from '#server/events/waiting-room/sale.ts';
import { readCheckoutPage } from '#server/orders/checkout-page/checkout-page.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { applyPromoCode } from './apply-promo-code.ts';
import { browserCheckouts } from './browser-checkouts.ts';
import { correctOwnEmail } from './correct-own-email.ts';
import { createCheckoutSession } from './create-checkout-session.ts';
import { leaveCheckoutQueue } from './leave-queue.ts';
import { listOpenCheckouts, releaseOpenCheckout } from './open-checkouts.ts';
import { readConfirmation } from './read-confirmation.ts';
import { readQueuedCheckout } from './read-queued-checkout.ts';
import { continueCheckout, sendDetails } from './send-details.ts';

export function checkoutRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.createCheckoutSession, async (cart, { ip, cookies }) => {
    const passId = await requireTurn(deps, cart.eventId, cookies.read('pass'));
    return createCheckoutSession(
      deps,
      passId ? { ...cart, cartId: passId, buysOnce: true } : cart,
      ip,
      browserCheckouts(deps, cookies),
    );
  });

  mount(app, applyEndpoint, (input, { ip, cookies }) =>
    applyPromoCode(deps, { ...input, ip }, browserCheckouts(deps, cookies)),
  );

  mount(app, contract.openCheckouts, (_input, { cookies }) => listOpenCheckouts(deps, browserCheckouts(deps, cookies)));

  mount(app, contract.releaseCheckout, async (input, { cookies }) => {
    await releaseOpenCheckout(deps, browserCheckouts(deps, cookies), input);
    return { msg: reservationReleased };
  });

  mount(app, page.readCheckoutPage, (input) => readCheckoutPage(deps, input));
  mount(app, page.sendDetails, (details) => sendDetails(deps, details));
  mount(app, page.continueCheckout, (input) => continueCheckout(deps, input));

  mount(app, contract.queuedCheckout, ({ handle }) => readQueuedCheckout(deps, handle));

  mount(app, contract.leaveQueuedCheckout, async ({ handle }) => {
    await leaveCheckoutQueue(deps, handle);
    return { msg: reservationReleased };
  });

  mount(app, contract.checkoutSession, (address) => readConfirmation(deps, address));

  mount(app, contract.readOrder, (address) => readConfirmation(deps, address));

  mount(app, transfers.readTicket, ({ token }) => readConfirmation(deps, { ticket: token }));

  mount(app, transfers.correctOwnEmail, async (input, { ip, cookies }) => {
    const token = await correctOwnEmail(deps, input, { ip, checkouts: browserCheckouts(deps, cookies) });
    return { msg: addressCorrected, token };
  });
}
