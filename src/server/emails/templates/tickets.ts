import { ticketPosition } from '#messages/checkout.ts';
import { plural } from '#messages/plural.ts';
import { longDate } from '#server/events/long-date.ts';
import { button, paragraph, smallPrint, ticketPass } from './blocks.ts';
import { type EmailLayout, renderLayout } from './layout.ts';
import { qrPng } from './qr-png.ts';

export interface TicketForEmail {
  ticketName: string;
  confirmationNumber: string;
  position: number;
  of: number;
  /** The checkout session, which links to the confirmation page. */
  sessionId: string | null;
  title: string;
  street: string;
  city: string;
  state: string;
  postalCode: string;
  timezone: string;
  startsAt: Date;
}

export async function ticketsEmail(tickets: readonly TicketForEmail[], publicUrl: string): Promise<EmailLayout | null> {
  const [first] = tickets;
  if (!first) return null;

  const count = tickets.length;
  const passes = tickets.map((ticket) => ({
    ticketName: ticket.ticketName,
    position: ticketPosition(ticket),
    confirmationNumber: ticket.confirmationNumber,
    contentId: `qr-${ticket.confirmationNumber}@handstamp`,
  }));
  const attachments = [];
  for (const { confirmationNumber, contentId } of passes) {
    const content = await qrPng(confirmationNumber);
    attachments.push({ fileName: `ticket-${confirmationNumber}.png`, contentType: 'image/png', content, contentId });
  }

  const startsAt = longDate(first.startsAt, first.timezone);
  const page = `${publicUrl}/success?session_id=${encodeURIComponent(first.sessionId ?? '')}`;
  return renderLayout({
    // The event comes first: phones show about 40 characters.
    subject: `${first.title}: ${plural(count, { one: 'your ticket', other: 'your # tickets' })}`,
    preview: `${startsAt}. Show the QR code at the door.`,
    head: {
      above: startsAt,
      title: first.title,
      below: [`${first.street}, ${first.city}, ${first.state} ${first.postalCode}`],
    },
    blocks: [
      paragraph("Show the QR code at the door, on your phone or printed. Won't scan? The number works too."),
      ...passes.map(ticketPass),
      ...(first.sessionId
        ? [button(plural(count, { one: 'Open your ticket', other: 'Open your tickets' }), page)]
        : []),
      smallPrint('Save this email. Each code lets one person in, once. Share it only with the person using it.'),
    ],
    attachments,
  });
}
