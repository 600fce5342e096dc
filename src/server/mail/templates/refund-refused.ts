import { supportMailbox } from '#contract/contacts.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';
import { type RefundForMail, ticketLine } from './refund-for-mail.ts';

export function refundRefusedLetter(refund: RefundForMail): Letter {
  const { title, url } = refund;
  return letter({
    subject: `${title}: your refund was not possible`,
    preview: 'Your ticket is valid again.',
    head: { above: 'Refund', title, below: ticketLine(refund) },
    blocks: [
      paragraph('The card company did not accept this refund, so no money has moved. Your ticket is valid again.'),
      ...(url ? [button('See your refund', url)] : []),
      smallPrint(`We have been told. If you want to ask about it, write to ${supportMailbox}.`),
    ],
  });
}
