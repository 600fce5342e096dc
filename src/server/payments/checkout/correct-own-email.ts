/**
 * The buyer corrects a typo in the address of a paid order. The link alone isn't enough, because it may have been forwarded: the
 * browser that paid still has its checkouts.
 */
import { correctableUntil } from '#domain/sales/ticket-transfers.ts';
import { lockOrder } from '#server/orders/core/orders.sql.ts';
import { lockEventToTransfer } from '#server/orders/core/transfers.sql.ts';
import { orderOfLink } from '#server/orders/find-by-link.ts';
import { orderToken } from '#server/orders/order-link.ts';
import { correctAddress } from '#server/orders/transfers/correct-address.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import type { BrowserCheckouts } from './browser-checkouts.ts';

/** Returns the token of the order's new link. */
export async function correctOwnEmail(
  deps: Pick<Deps, 'db' | 'rateLimiter' | 'appSecret'>,
  { token, email }: { token: string; email: string },
  { ip, checkouts }: { ip: string; checkouts: Pick<BrowserCheckouts, 'refs'> },
): Promise<string> {
  const found = await orderOfLink(deps, token);
  if (!found) throw new AppError('checkout.unknown');
  const { eventId, orderId } = found;
  if (!checkouts.refs.some((ref) => ref.orderId === orderId)) throw new AppError('correction.other-browser');
  await consumeLimit(deps.rateLimiter, 'order-details', orderId);
  return inTransaction(deps.db, async (tx) => {
    const event = await lockEventToTransfer(tx, eventId);
    const order = event && (await lockOrder(tx, { eventId, orderId }));
    if (!event || order?.state !== 'paid' || order.paidAt === null) throw new AppError('checkout.unknown');
    if (event.cancelledAt) throw new AppError('checkout.event-cancelled');
    if (order.linkVersion > 0) throw new AppError('correction.done');
    const until = correctableUntil({ ...order, paidAt: order.paidAt });
    if (!until || event.now >= until) throw new AppError('correction.too-late');
    await correctAddress(tx, { eventId, orderId }, order, { email, now: event.now });
    await recordAuditEvent(tx, {
      action: 'correct-email',
      actorKind: 'buyer',
      subject: orderId,
      eventId,
      at: event.now,
      from: { ip, appSecret: deps.appSecret },
    });
    return orderToken(deps, { eventId, orderId, linkVersion: order.linkVersion + 1 });
  });
}
