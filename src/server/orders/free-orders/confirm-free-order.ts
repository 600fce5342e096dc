/** Completes a free order once its buyer's address is proved, by the emailed code or the link next to it. */
import type { OrderRef } from '#domain/order.ts';
import { ORDER_CODES_MAX, WRONG_CODES_MAX } from '#domain/sales/free-orders.ts';
import { orderOfLink } from '#server/orders/checkout-page/checkout-page.ts';
import { lockEventOnSale, lockOrder } from '#server/orders/core/orders.sql.ts';
import { releaseReservation } from '#server/orders/release-reservation.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isEmailedCode } from '#server/platform/outbox/emailed-code.ts';
import { isLinkToken } from '#server/platform/outbox/link-token.ts';
import { completeFreeOrder } from './complete-free-order.ts';
import { lockProof, saveProof } from './free-orders.sql.ts';
import type { ProvedAddress } from './proved-address.ts';

interface Shown {
  handle: string;
  code?: string | undefined;
  token?: string | undefined;
}

type Outcome = { sessionId: string; email: string } | { wrongCodes: number; emailsSent: number };

/** Repeatable: the same code or link opens the same tickets. */
export async function confirmFreeOrder(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  shown: Shown,
  proved: ProvedAddress,
): Promise<{ sessionId: string }> {
  const ref = orderOfLink(deps, shown.handle);
  if (shown.token === undefined && shown.code === undefined)
    throw new AppError('form.invalid', { field: 'code', reason: 'order-code.missing' });
  const outcome = await judge(deps, ref, shown);
  if ('sessionId' in outcome) {
    proved.remember(outcome.email, deps.clock.now());
    return { sessionId: outcome.sessionId };
  }
  const left = Math.max(0, WRONG_CODES_MAX - outcome.wrongCodes);
  if (left > 0 || outcome.emailsSent < ORDER_CODES_MAX) throw new AppError('free-order.wrong-code', { left });
  await releaseReservation(deps, ref);
  throw new AppError('free-order.codes-used-up');
}

function judge({ db, appSecret }: Pick<Deps, 'db' | 'appSecret'>, ref: OrderRef, shown: Shown): Promise<Outcome> {
  return inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, ref.eventId);
    const order = await lockOrder(tx, ref);
    const proof = await lockProof(tx, ref);
    if (!event || !order) throw new AppError('checkout.unknown');
    // By another address, or long ago.
    if (order.state === 'paid' && !proof?.provedAt) throw new AppError('free-order.confirmed');
    if (!proof) throw new AppError('checkout.unknown');
    const { id, email, wrongCodes, emailsSent } = proof;
    const isRight =
      shown.token === undefined
        ? wrongCodes < WRONG_CODES_MAX && isEmailedCode(appSecret, id, shown.code ?? '')
        : isLinkToken(appSecret, id, shown.token);
    if (!isRight && shown.token !== undefined) throw new AppError('free-order.old-link');
    if (order.state !== 'reserved' && order.state !== 'paid') throw new AppError('checkout.reservation-expired');
    if (!isRight) {
      await saveProof(tx, { ...proof, wrongCodes: wrongCodes + 1 });
      return { wrongCodes: wrongCodes + 1, emailsSent };
    }
    if (order.state === 'paid' && order.sessionId !== null) return { sessionId: order.sessionId, email };
    const sessionId = await completeFreeOrder(tx, event, { ...ref, email });
    await saveProof(tx, { ...proof, provedAt: event.now });
    return { sessionId, email };
  });
}
