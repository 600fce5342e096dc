/** People who call the product's use cases in this process, which may end in the middle of any of them. */
import { checkGuest } from '#server/admission/check-guest.ts';
import { createCheckoutSession } from '#server/checkout/create-checkout-session.ts';
import { readConfirmation } from '#server/checkout/read-confirmation.ts';
import { handInScans } from '#server/door/hand-in-scans.ts';
import { takeBackScan } from '#server/door/take-back-scan.ts';
import { cancelEvent } from '#server/events/cancel-event.ts';
import { requestPayout } from '#server/payouts/request-payout.ts';
import { requestRefund } from '#server/refunds/request-refund.ts';
import type { World } from '#tests/support/world.ts';
import { attempt } from './attempt.ts';
import { asHandedIn, grantOf, type Ways } from './history.ts';

const IP = '127.0.0.1';

export function waysInside(world: World): Ways {
  return {
    checkOut: (history, cartItems) =>
      attempt(world, history, 'checkout', (deps) =>
        createCheckoutSession(deps, { eventId: history.eventId, cartItems }, IP),
      ),
    confirm: (history, sessionId) =>
      attempt(world, history, 'confirmation', (deps) => readConfirmation(deps, sessionId)),
    scan: (history, number, device, scanId) =>
      attempt(world, history, `scan ${number} by ${device}`, (deps) =>
        checkGuest(deps, { eventId: history.eventId, grantId: grantOf(device) }, number, scanId),
      ),
    handIn: (history, scans, device) =>
      attempt(world, history, `hand in ${scans.map(({ number }) => number).join(' ')} by ${device}`, (deps) =>
        handInScans(deps, { eventId: history.eventId, grantId: grantOf(device) }, scans.map(asHandedIn)),
      ),
    takeBack: (history, { scanId, number }, device) =>
      attempt(world, history, `take back ${number} by ${device}`, (deps) =>
        takeBackScan(deps, { eventId: history.eventId, grantId: grantOf(device) }, scanId),
      ),
    refund: (history, confirmationCode) =>
      attempt(world, history, `refund ${confirmationCode}`, (deps) =>
        requestRefund(deps, { eventId: history.eventId, confirmationCode, ip: IP }),
      ),
    payOut: (history) =>
      attempt(world, history, 'payout', (deps) =>
        requestPayout(deps, { organizerId: history.organizerId, eventId: history.eventId }),
      ),
    cancel: (history) =>
      attempt(world, history, 'cancel', (deps) => cancelEvent(deps, history.organizerId, history.eventId)),
  };
}
