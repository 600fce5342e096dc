import { supportMailbox } from '#contract/contacts.ts';
import { formatCents } from '#domain/money.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';
import { type RefundForMail, ticketLine } from './refund-for-mail.ts';

export function refundFailedLetter(refund: RefundForMail): Letter {
  const { title, cents, url } = refund;
  const amount = formatCents(cents);
  return letter({
    subject: `${title}: your refund of ${amount} did not arrive`,
    preview: 'The money is yours. We will be in touch.',
    head: { above: 'Refund', title, below: ticketLine(refund) },
    blocks: [
      paragraph(
        `The card company could not deliver ${amount} to the card that paid; a card that was closed is the usual reason. The money came back to us, and it is still yours.`,
      ),
      paragraph('We will be in touch to find another way to pay you. You need not do anything now.'),
      ...(url ? [button('See your refund', url)] : []),
      smallPrint(`If you would rather write first: ${supportMailbox}. We never ask for a card number or a password.`),
    ],
  });
}
