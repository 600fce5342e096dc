import { type UnfulfillableReason, unfulfillableReasons } from '#contract/checkout-words.ts';
import { supportMailbox } from '#contract/contacts.ts';
import { formatCents } from '#domain/money.ts';
import { paragraph, smallPrint } from './blocks.ts';
import { type EmailLayout, renderLayout } from './layout.ts';

export interface UnfulfillableForEmail {
  title: string;
  cents: number;
  reason: UnfulfillableReason;
}

export function orderUnfulfillableEmail({ title, cents, reason }: UnfulfillableForEmail): EmailLayout {
  return renderLayout({
    subject: `${title}: no tickets, all your money back`,
    preview: cents > 0 ? `${formatCents(cents)} is on its way back to you.` : 'Nothing was charged.',
    head: { above: 'Your order', title, below: ['No tickets were made'] },
    blocks: [
      paragraph(unfulfillableReasons[reason]),
      paragraph(
        cents > 0
          ? `You get ${formatCents(cents)}, all that you paid, back to the card it came from. You need not do anything; please allow 3-7 business days until your bank shows it.`
          : 'Your order was free, so no money moves.',
      ),
      smallPrint(`Questions? Write to ${supportMailbox}.`),
    ],
  });
}
