import { type UnfulfillableReason } from '#domain/payment.ts';
import { unfulfillableReasons } from '#messages/checkout.ts';
import { supportMailbox } from '#messages/contacts.ts';
import { formatCents } from '#messages/format.ts';
import { bankDelay } from '#messages/refunds.ts';
import { type EmailContent, paragraph, smallPrint } from './layout.ts';

export interface UnfulfillableForEmail {
  title: string;
  cents: number;
  reason: UnfulfillableReason;
}

/** Tells a buyer why a paid order got no tickets. */
export function orderUnfulfillableEmail({ title, cents, reason }: UnfulfillableForEmail): EmailContent {
  const amount = formatCents(cents);
  return {
    subject: cents > 0 ? `We refunded your order for ${title}` : `Your order for ${title} wasn't completed`,
    preview: cents > 0 ? `${amount} is on its way back to you.` : "You weren't charged.",
    head: { above: 'Your order', title, below: ['Order not completed'] },
    blocks: [
      paragraph(unfulfillableReasons[reason]),
      paragraph(
        cents > 0
          ? `We're refunding all ${amount} to your card. There's nothing you need to do. ${bankDelay}`
          : "Your order was free, so there's nothing to refund.",
      ),
      smallPrint(`Questions? Email ${supportMailbox}.`),
    ],
  };
}
