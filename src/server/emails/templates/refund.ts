import { supportMailbox } from '#contract/contacts.ts';
import { formatCents } from '#domain/money.ts';
import { longDate } from '#server/events/long-date.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type EmailLayout, renderLayout } from './layout.ts';

export interface RefundForEmail {
  title: string;
  timezone: string;
  /** Null where a whole order goes back. */
  ticketName: string | null;
  confirmationNumber: string | null;
  cents: number;
  state: 'claimed' | 'sent' | 'refused' | 'restored' | 'failed';
  sendAfter: Date;
  /** Of the page that shows the refund; null for one that nobody asked for. */
  url: string | null;
}

/** The line below the event's title. */
function ticketLine({ ticketName, confirmationNumber }: RefundForEmail): string[] {
  return ticketName === null ? [] : [`${ticketName}, confirmation number ${confirmationNumber}`];
}

export function refundAcceptedEmail(refund: RefundForEmail): EmailLayout {
  const { title, cents, url } = refund;
  return renderLayout({
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

/** Sent while the refund is held back, so that whoever did not ask for it can stop it. */
export function refundRequestedEmail(refund: RefundForEmail): EmailLayout | null {
  const { title, timezone, cents, state, sendAfter, url } = refund;
  // Sent, refused or taken back before this mail went out.
  if (state !== 'claimed' || !url) return null;
  const when = longDate(sendAfter, timezone);
  const what = cents > 0 ? `${formatCents(cents)} goes back to your card` : 'Your free ticket is given back';
  return renderLayout({
    subject: `${title}: someone asked to give your ticket back`,
    preview: `${what} after ${when}. Not you? Keep your ticket.`,
    head: { above: 'Refund requested', title, below: ticketLine(refund) },
    blocks: [
      paragraph(
        cents > 0
          ? `Someone, we hope you, asked to give this ticket back. We send ${formatCents(cents)} to the card that paid for it after ${when}. Until then the ticket lets nobody in.`
          : `Someone, we hope you, asked to give this ticket back. It was free, so no money moves; it is gone after ${when}. Until then it lets nobody in.`,
      ),
      paragraph('If you asked for it, you need not do anything. If you did not, keep your ticket before then:'),
      button('I did not ask for this', url),
      smallPrint('The same page shows where your refund is. Keep the link to yourself.'),
    ],
  });
}

export function refundRefusedEmail(refund: RefundForEmail): EmailLayout {
  const { title, url } = refund;
  return renderLayout({
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

export function refundFailedEmail(refund: RefundForEmail): EmailLayout {
  const { title, cents, url } = refund;
  const amount = formatCents(cents);
  return renderLayout({
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
