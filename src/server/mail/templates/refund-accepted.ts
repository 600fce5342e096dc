import { supportMailbox } from '#contract/contacts.ts';
import { formatCents } from '#domain/money.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';
import { type RefundForMail, ticketLine } from './refund-for-mail.ts';

export function refundAcceptedLetter(refund: RefundForMail): Letter {
  const { title, cents, url } = refund;
  return letter({
    subject: `${title}: your ticket is given back`,
    preview: cents > 0 ? `${formatCents(cents)} is on its way back to you.` : 'It was free, so no money moves.',
    head: { above: 'Refund', title, below: ticketLine(refund) },
    blocks: [
      paragraph(
        cents > 0
          ? `We have sent ${formatCents(cents)} back to the card that paid for this ticket. Please allow 3-7 business days until your bank shows it.`
          : 'This ticket was free, so there is no money to send back.',
      ),
      paragraph('The ticket no longer lets anyone in. Your other tickets, if you have any, stay as they are.'),
      ...(url ? [button('See where your refund is', url)] : []),
      smallPrint(
        `If you did not ask for this, someone who knows your confirmation number did. Write to ${supportMailbox}.`,
      ),
    ],
  });
}
