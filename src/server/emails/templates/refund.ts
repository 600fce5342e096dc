/** Emails to a buyer about the refund of a ticket, or of a whole order. */

import { supportMailbox } from '#messages/contacts.ts';
import { formatCents, longDate } from '#messages/format.ts';
import { bankDelay, freeTicket } from '#messages/refunds.ts';
import { compWithdrawnEmail as withdrawn } from '#messages/sales/comps.ts';
import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

export interface RefundForEmail {
  title: string;
  timezone: string;
  organizationName: string | null;
  /** Null when the whole order is refunded. */
  ticketName: string | null;
  /** Null also once the ticket is transferred. */
  confirmationNumber: string | null;
  cents: number;
  state: 'claimed' | 'sent' | 'refused' | 'restored' | 'failed';
  sendAfter: Date;
  /** Status page of the refund; null for a refund that the buyer didn't request. */
  url: string | null;
}

/** Sent while the refund is delayed, so that a buyer who didn't request it can stop it. */
export function refundRequestedEmail(refund: RefundForEmail): EmailContent | null {
  const { title, timezone, cents, state, sendAfter, url } = refund;
  // The refund was sent, refused or stopped before this email went out.
  if (state !== 'claimed' || !url) return null;
  const when = longDate(sendAfter, timezone);
  const effect = cents > 0 ? `We'll refund ${formatCents(cents)} to your card` : "We'll cancel your free ticket";
  return {
    subject: `Refund requested for ${title}`,
    preview: `${effect} after ${when}. Not you? Keep your ticket.`,
    head: { above: 'Refund requested', title, below: ticketLine(refund) },
    blocks: [
      paragraph(
        cents > 0
          ? `We got a refund request for this ticket. We'll refund ${formatCents(cents)} to your card after ${when}. The ticket doesn't work in the meantime.`
          : `We got a request to cancel this ticket. ${freeTicket.noRefund} We'll cancel it after ${when}, and it doesn't work in the meantime.`,
      ),
      paragraph("If that was you, there's nothing you need to do. Not you? Keep your ticket before then:"),
      button("I didn't request this", url),
      smallPrint("The same page shows your refund's status. Don't share the link."),
    ],
  };
}

export function refundAcceptedEmail(refund: RefundForEmail): EmailContent {
  const { title, cents, url } = refund;
  const amount = formatCents(cents);
  return {
    subject: cents > 0 ? `Your ${amount} refund for ${title}` : `Your ticket for ${title} is canceled`,
    preview: cents > 0 ? `${amount} is on its way to your card.` : freeTicket.noRefund,
    head: { above: 'Refund', title, below: ticketLine(refund) },
    blocks: [
      paragraph(
        cents > 0
          ? `We refunded ${amount} to your card. ${bankDelay}`
          : "This ticket was free, so there's nothing to refund.",
      ),
      paragraph('This ticket no longer works. Any others are still good.'),
      ...(url ? [button('See your refund', url)] : []),
      smallPrint(
        `Didn't request this? Someone used your confirmation number. Please let us know at ${supportMailbox}.`,
      ),
    ],
  };
}

export function refundRefusedEmail(refund: RefundForEmail): EmailContent {
  const { title, url } = refund;
  return {
    subject: `Your refund for ${title} didn't go through`,
    preview: 'Your ticket works again.',
    head: { above: 'Refund', title, below: ticketLine(refund) },
    blocks: [
      paragraph("We couldn't process this refund, so no money has moved. Your ticket works again."),
      ...(url ? [button('See your refund', url)] : []),
      smallPrint(`We've been notified. Questions? Email ${supportMailbox}.`),
    ],
  };
}

export function refundFailedEmail(refund: RefundForEmail): EmailContent {
  const { title, cents, url } = refund;
  const amount = formatCents(cents);
  return {
    subject: `Your bank returned your ${amount} refund for ${title}`,
    preview: "The money is still yours. We'll contact you.",
    head: { above: 'Refund', title, below: ticketLine(refund) },
    blocks: [
      paragraph(`Your bank returned the ${amount}, usually because the card was closed. It's still yours.`),
      paragraph("We'll contact you to find another way to pay you. There's nothing you need to do now."),
      ...(url ? [button('See your refund', url)] : []),
      smallPrint(`Questions? Email ${supportMailbox}. We never ask for a card number or a password.`),
    ],
  };
}

export function compWithdrawnEmail(comp: RefundForEmail): EmailContent {
  const { title, organizationName } = comp;
  return {
    subject: withdrawn.subject(title),
    preview: withdrawn.preview,
    head: { above: withdrawn.above, title, below: ticketLine(comp) },
    blocks: [paragraph(withdrawn.text(organizationName)), smallPrint(withdrawn.questions)],
  };
}

function ticketLine({ ticketName, confirmationNumber }: RefundForEmail): string[] {
  if (ticketName === null) return [];
  return [confirmationNumber === null ? ticketName : `${ticketName}, confirmation number ${confirmationNumber}`];
}
