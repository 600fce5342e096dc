/** A buyer who did not ask for a refund takes it back: the ticket is good again, and its money stays where it is. */
import { refundLinkRefusals } from '#contract/refunds.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { spendTry } from '#server/platform/rate-limit.ts';
import { refundOfLink, takeBackRefund } from './refund-links.sql.ts';
import { hashOfToken } from './refund-token.ts';
import { lockEventForRefund, restoreTicket } from './refunded-tickets.sql.ts';

export async function keepTicket(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  { eventId, token, ip }: { eventId: string; token: string; ip: string },
): Promise<void> {
  const linkHash = hashOfToken(token);
  const refund = await refundOfLink(db, eventId, linkHash);
  if (!refund) {
    await spendTry(tries, 'mailed-link', ip);
    throw notFound(refundLinkRefusals.unknown);
  }
  // Pressed twice, or the answer was lost the first time.
  if (refund.state === 'restored') return;
  if (!(await inTransaction(db, (tx) => takeBack(tx, eventId, linkHash))))
    throw conflict(refundLinkRefusals['too-late']);
}

async function takeBack(tx: Db, eventId: string, linkHash: Buffer): Promise<boolean> {
  const event = await lockEventForRefund(tx, eventId);
  // A cancelled event has given everyone's ticket back: this one must not be left behind.
  if (!event || event.cancelledAt) return false;
  const ticketId = await takeBackRefund(tx, eventId, linkHash);
  if (ticketId) await restoreTicket(tx, eventId, ticketId);
  return ticketId !== null;
}
