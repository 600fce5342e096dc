import { REFUND_REASON_MAX } from '#domain/limits.ts';
import { bankDelay } from '#messages/refunds.ts';
import { memberRefundEmail as text } from '#messages/sales/orders.ts';
import { type EmailContent, paragraph, quoted, smallPrint } from './layout.ts';

interface MemberRefundForEmail {
  title: string;
  organizationName: string | null;
  note: string | null;
  tickets: readonly { ticketName: string; cents: number; confirmationNumber: string | null }[];
}

/** To the buyer, about all tickets that a member refunded together. */
export function refundedByOrganizerEmail(refund: MemberRefundForEmail): EmailContent {
  const { title, organizationName, note, tickets } = refund;
  const cents = tickets.reduce((sum, ticket) => sum + ticket.cents, 0);
  return {
    subject: text.subject(title, cents),
    preview: text.preview(organizationName, cents),
    head: { above: text.above, title, below: tickets.map(text.ticket) },
    blocks: [
      paragraph(`${text.text(organizationName, tickets.length, cents)}${cents > 0 ? ` ${bankDelay}` : ''}`),
      ...(note === null ? [] : [paragraph(text.reason(quoted(note, REFUND_REASON_MAX)))]),
      paragraph(text.ended(tickets.length)),
      smallPrint(text.questions),
    ],
  };
}
