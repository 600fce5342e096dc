import { formatCents } from '#domain/money.ts';
import { paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';
import { longDate } from './long-date.ts';

export interface CancelledForMail {
  title: string;
  timezone: string;
  startsAt: Date;
  tickets: readonly { ticketName: string; priceCents: number }[];
}

export function eventCancelledLetter({ title, timezone, startsAt, tickets }: CancelledForMail): Letter {
  const cents = tickets.reduce((sum, ticket) => sum + ticket.priceCents, 0);
  const count = tickets.length === 1 ? 'your ticket' : `your ${tickets.length} tickets`;
  return letter({
    subject: `${title} is cancelled`,
    preview: cents > 0 ? `You get ${formatCents(cents)} back without asking.` : 'Your free tickets are void.',
    head: { above: longDate(startsAt, timezone), title, below: ['Cancelled by its organizer'] },
    blocks: [
      paragraph(
        cents > 0
          ? `We are sending ${formatCents(cents)} for ${count} back to the card that paid. You need not do anything; please allow 3-7 business days until your bank shows it.`
          : `The organizer has cancelled this event, so ${count} can no longer be used. No money was paid, so none moves.`,
      ),
      smallPrint('A confirmation number or QR code of this event no longer lets anyone in.'),
    ],
  });
}
