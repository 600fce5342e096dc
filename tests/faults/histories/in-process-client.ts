/** People who call the use cases in this process, where any of them may crash midway. */
import { checkGuest } from '#server/checkin/check-guest.ts';
import { checkInReply } from '#server/checkin/check-in.routes.ts';
import { syncScans } from '#server/checkin/sync/sync-scans.ts';
import { undoCheckIn } from '#server/checkin/sync/undo-check-in.ts';
import { cancelEvent } from '#server/events/cancel-event.ts';
import { confirmFreeOrder } from '#server/orders/free-orders/confirm-free-order.ts';
import { sendOrderCode } from '#server/orders/free-orders/send-order-code.ts';
import { createCheckoutSession } from '#server/payments/checkout/create-checkout-session.ts';
import { readConfirmation } from '#server/payments/checkout/read-confirmation.ts';
import { requestPayout } from '#server/payments/payouts/request-payout.ts';
import { requestRefund } from '#server/payments/refunds/request-refund.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { attempt } from './attempt.ts';
import { asSynced, type Client, grantOf, type History } from './history.ts';

const IP = '127.0.0.1';

/** A browser without cookies. */
const UNPROVED = { is: () => false, remember() {} };

const attendantAt = ({ eventId }: History, device: number) => ({ eventId, deviceId: grantOf(device), isMember: false });

export function inProcessClient(app: TestApp): Client {
  return {
    checkOut: (history, cartItems, promo) =>
      attempt(app, history, 'checkout', (deps) =>
        createCheckoutSession(deps, { eventId: history.eventId, cartItems, ...promo }, IP),
      ),
    sendCode: (history, typed) =>
      attempt(app, history, 'order code', (deps) => sendOrderCode(deps, typed, { ip: IP, proved: UNPROVED })),
    prove: (history, shown) => attempt(app, history, 'proof', (deps) => confirmFreeOrder(deps, shown, UNPROVED)),
    confirm: (history, sessionId) =>
      attempt(app, history, 'confirmation', (deps) => readConfirmation(deps, { sessionId })),
    scan: (history, number, device, scanId) =>
      attempt(app, history, `scan ${number} by ${device}`, async (deps) =>
        checkInReply(await checkGuest(deps, attendantAt(history, device), number, scanId)),
      ),
    sync: (history, scans, device) =>
      attempt(app, history, `sync ${scans.map(({ number }) => number).join(' ')} by ${device}`, (deps) =>
        syncScans(deps, attendantAt(history, device), scans.map(asSynced)),
      ),
    undo: (history, { scanId, number }, device) =>
      attempt(app, history, `undo ${number} by ${device}`, (deps) =>
        undoCheckIn(deps, attendantAt(history, device), scanId),
      ),
    refund: (history, confirmationCode) =>
      attempt(app, history, `refund ${confirmationCode}`, (deps) =>
        requestRefund(deps, { eventId: history.eventId, confirmationCode, ip: IP }),
      ),
    payOut: (history) =>
      attempt(app, history, 'payout', (deps) => requestPayout(deps, history.organizer, history.eventId)),
    cancel: (history) =>
      attempt(app, history, 'cancel', (deps) => cancelEvent(deps, history.organizer, history.eventId)),
  };
}
