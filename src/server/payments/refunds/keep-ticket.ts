/** Stops a delayed refund that the buyer didn't request. The ticket becomes valid again. */

import { restoreTicket } from '#server/orders/core/tickets.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { emailHolder } from './record-answer.ts';
import { cancelRefundRow, refundOfLink } from './refund-links.sql.ts';
import { lockEventForRefund } from './refund-locks.sql.ts';
import { hashOfToken } from './refund-token.ts';

export async function keepTicket(
  { db, rateLimiter, appSecret }: Pick<Deps, 'db' | 'rateLimiter' | 'appSecret'>,
  { eventId, token, ip }: { eventId: string; token: string; ip: string },
): Promise<void> {
  const linkHash = hashOfToken(token);
  const refund = await refundOfLink(db, eventId, linkHash);
  if (!refund) {
    await consumeLimit(rateLimiter, 'emailed-link', ip);
    throw new AppError('refund-link.unknown');
  }
  // A repeated click, or a retry after a lost response.
  if (refund.state === 'restored') return;
  if (!(await inTransaction(db, (tx) => cancelRefund(tx, { eventId, linkHash, from: { ip, appSecret } }))))
    throw new AppError('refund-link.too-late');
}

interface Cancellation {
  eventId: string;
  linkHash: Buffer;
  from: { ip: string } & Pick<Deps, 'appSecret'>;
}

async function cancelRefund(tx: Db, { eventId, linkHash, from }: Cancellation): Promise<boolean> {
  const event = await lockEventForRefund(tx, eventId);
  // A cancelled event refunds every ticket, including this one.
  if (!event || event.cancelledAt) return false;
  const restored = await cancelRefundRow(tx, eventId, linkHash);
  if (!restored) return false;
  const { refundId, ticketId } = restored;
  await restoreTicket(tx, eventId, ticketId);
  await emailHolder(tx, 'holder-ticket-restored', { eventId, refundId, ticketId, at: event.now });
  await recordAuditEvent(tx, { action: 'keep-ticket', subject: ticketId, eventId, at: event.now, from });
  return true;
}
