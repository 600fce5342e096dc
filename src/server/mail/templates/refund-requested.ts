import { formatCents } from '#domain/money.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';
import { longDate } from './long-date.ts';
import { type RefundForMail, ticketLine } from './refund-for-mail.ts';

/** Sent while the refund is held back, so that whoever did not ask for it can stop it. */
export function refundRequestedLetter(refund: RefundForMail): Letter | null {
  const { title, timezone, cents, state, sendAfter, url } = refund;
  // Sent, refused or taken back before this mail went out.
  if (state !== 'claimed' || !url) return null;
  const when = longDate(sendAfter, timezone);
  const what = cents > 0 ? `${formatCents(cents)} goes back to your card` : 'Your free ticket is given back';
  return letter({
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
