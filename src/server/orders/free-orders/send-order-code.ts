/** Emails the code and the link that prove the address of a free order. See docs/decisions/0061. */
import type { sendOrderCode as endpoint } from '#contract/app/sales/free-orders.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { OrderRef } from '#domain/order.ts';
import { CODE_AGAIN_SECONDS, ORDER_CODES_MAX, WRONG_CODES_MAX } from '#domain/sales/free-orders.ts';
import { needsDetails } from '#domain/sales/guest-form.ts';
import { orderOfHandle, reservedUntil, shownCheckout } from '#server/orders/checkout-page/checkout-page.ts';
import { lockEventOnSale, lockOrder, setOrderState } from '#server/orders/core/orders.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { clientNetwork } from '#server/platform/client-network.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { type EmailLimits, queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { completeFreeOrder, type LockedEvent } from './complete-free-order.ts';
import { findEarlierOrder, forgetProof, lockProof, saveProof } from './free-orders.sql.ts';
import type { ProvedAddress } from './proved-address.ts';

interface Typed {
  handle: string;
  email: string;
  honeypot?: string | undefined;
}

/** Answers the same for an address that has tickets already: only its inbox says so. */
export async function sendOrderCode(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'> & EmailLimits,
  { handle, email, honeypot }: Typed,
  { ip, proved }: { ip: string; proved: ProvedAddress },
): Promise<ReplyOf<typeof endpoint>> {
  const ref = orderOfHandle(deps, handle);
  const isProved = proved.is(email, deps.clock.now());
  const network = clientNetwork(ip);
  if (network !== null && !honeypot && !isProved) await consumeLimit(deps.rateLimiter, 'order-code', network);
  const sessionId = honeypot
    ? null
    : await inTransaction(deps.db, async (tx) => {
        const event = await lockEventOnSale(tx, ref.eventId);
        const order = await lockOrder(tx, ref);
        if (!event || order?.totalCents !== 0) throw new AppError('checkout.unknown');
        if (order.state === 'paid') return null;
        if (order.state !== 'reserved') throw new AppError('checkout.reservation-expired');
        if (needsDetails(order)) throw new AppError('details.missing');
        if (isProved) {
          // Nothing that was sent to another address opens the tickets.
          await forgetProof(tx, ref);
          return completeFreeOrder(tx, event, { ...ref, email });
        }
        await sendCode(tx, deps, { ...ref, email, event, createdAt: order.createdAt });
        return null;
      });
  return { sessionId, order: await shownCheckout(deps.db, ref, deps.clock.now()) };
}

interface OrderToProve extends OrderRef {
  email: string;
  event: LockedEvent;
  createdAt: Date;
}

async function sendCode(
  tx: Db,
  limits: EmailLimits,
  { eventId, orderId, email, event, createdAt }: OrderToProve,
): Promise<void> {
  const { now } = event;
  const sent = await lockProof(tx, { eventId, orderId });
  const isSame = sent?.email.toLowerCase() === email.toLowerCase();
  const isUsable = isSame && sent.wrongCodes < WRONG_CODES_MAX;
  // A double click, or a request whose answer was lost.
  if (isUsable && now.getTime() - sent.sentAt.getTime() < CODE_AGAIN_SECONDS * 1000) return;
  const emailsSent = (sent?.emailsSent ?? 0) + 1;
  if (emailsSent > ORDER_CODES_MAX) throw new AppError('free-order.too-many-codes');

  const id = isUsable ? sent.id : newId();
  const wrongCodes = isUsable ? sent.wrongCodes : 0;
  await saveProof(tx, { eventId, orderId, id, email, wrongCodes, emailsSent, sentAt: now, provedAt: null });
  // The buyer leaves the page to read the email.
  await setOrderState(tx, { eventId, orderId }, { reservationExpiresAt: reservedUntil({ createdAt, totalCents: 0 }) });
  const hasTickets = !event.allowsRepeatedFreeOrders && (await findEarlierOrder(tx, { eventId, email }));
  const kind = hasTickets ? 'free-order-limit' : 'free-order-code';
  await queueLimitedEmail(tx, limits, { kind, subjectId: id, toAddress: email, now });
}
