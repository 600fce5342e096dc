/** Stops a delayed refund that the buyer didn't request. The ticket becomes valid again. */

import { refundLinkErrors } from '#contract/app/refunds.ts';
import { restoreTicket } from '#server/orders/core/tickets.sql.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { cancelRefundRow, refundOfLink } from './refund-links.sql.ts';
import { lockEventForRefund } from './refund-locks.sql.ts';
import { hashOfToken } from './refund-token.ts';

export async function keepTicket(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { eventId, token, ip }: { eventId: string; token: string; ip: string },
): Promise<void> {
  const linkHash = hashOfToken(token);
  const refund = await refundOfLink(db, eventId, linkHash);
  if (!refund) {
    await consumeLimit(rateLimiter, 'emailed-link', ip);
    throw notFound(refundLinkErrors.unknown);
  }
  // A repeated click, or a retry after a lost response.
  if (refund.state === 'restored') return;
  if (!(await inTransaction(db, (tx) => cancelRefund(tx, eventId, linkHash))))
    throw conflict(refundLinkErrors['too-late']);
}

async function cancelRefund(tx: Db, eventId: string, linkHash: Buffer): Promise<boolean> {
  const event = await lockEventForRefund(tx, eventId);
  // A cancelled event refunds every ticket, including this one.
  if (!event || event.cancelledAt) return false;
  const ticketId = await cancelRefundRow(tx, eventId, linkHash);
  if (ticketId) await restoreTicket(tx, eventId, ticketId);
  return ticketId !== null;
}
