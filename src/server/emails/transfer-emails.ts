/** What the emails about transferred tickets and corrected addresses read. */
import * as z from 'zod/mini';
import { ticketUrl } from '#server/orders/order-link.ts';
import type { Deps } from '#server/platform/deps.ts';
import { eventForEmail, titleOfEvent, transferredForEmail, usableTickets } from './outbox.sql.ts';
import { refundForEmail } from './payment-emails.sql.ts';
import type { EmailContent } from './templates/layout.ts';
import {
  emailCorrectedEmail,
  holderRefundEmail,
  ticketGivenEmail,
  ticketReceivedEmail,
} from './templates/ticket-transfer.ts';

type RenderDeps = Pick<Deps, 'db' | 'publicUrl' | 'appSecret'>;

interface TransferEmail {
  kind: string;
  subjectId: string;
  toAddress: string;
  params: unknown;
}

const eventParams = z.object({ eventId: z.string() });

export async function renderTransferEmail(
  deps: RenderDeps,
  { kind, subjectId, toAddress, params }: TransferEmail,
): Promise<EmailContent | null> {
  const { db, publicUrl } = deps;
  const { eventId } = eventParams.parse(params);
  const eventUrl = `${publicUrl}/payment/${eventId}`;
  if (kind === 'email-corrected') return emailCorrectedEmail({ title: await titleOfEvent(db, eventId) }, { eventUrl });
  if (kind === 'ticket-transferred') {
    const ticket = await transferredForEmail(db, eventId, subjectId);
    return ticket ? ticketGivenEmail(ticket, { eventUrl }) : null;
  }
  const [ticket] = await usableTickets(db, eventId, { ticketId: subjectId, toAddress });
  const event = ticket && (await eventForEmail(db, eventId));
  if (!event) return null;
  return ticketReceivedEmail({ ...event, ...ticket }, { url: ticketUrl(deps, { ...ticket, eventId }) });
}

export async function renderHolderRefund(
  { db }: RenderDeps,
  { kind, subjectId, params }: TransferEmail,
): Promise<EmailContent | null> {
  const refund = await refundForEmail(db, eventParams.parse(params).eventId, subjectId);
  if (!refund) return null;
  if (kind === 'holder-ticket-restored') return holderRefundEmail(refund, 'restored');
  if (kind === 'holder-refunded')
    return holderRefundEmail(refund, refund.reason === 'withdrawn' ? 'withdrawn' : 'refunded');
  // It may be sent by now, or stopped.
  return refund.state === 'claimed' ? holderRefundEmail(refund, 'refunding') : null;
}
