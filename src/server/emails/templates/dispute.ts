import { formatCents } from '#domain/money.ts';
import { type DisputedMoney, endedDisputeEffect, openedDisputeEffect } from '#messages/disputes.ts';
import { button, type EmailLayout, paragraph, renderLayout, smallPrint } from './layout.ts';

export interface DisputeForEmail extends DisputedMoney {
  title: string;
  cents: number;
  /** The organizer's profile, which shows the payout statement. */
  url: string;
}

export function disputeOpenedEmail({ title, cents, url, ...dispute }: DisputeForEmail): EmailLayout {
  const amount = formatCents(cents);
  return renderLayout({
    subject: `${title}: a ${amount} payment is disputed`,
    preview: 'A buyer asked their bank for the money back.',
    head: { above: 'Payment disputed', title, below: [amount] },
    blocks: [
      paragraph(`Someone who bought tickets to ${title} asked their bank for ${amount} back.`),
      paragraph(openedDisputeEffect(dispute)),
      button('Open your profile', url),
      smallPrint("There's nothing you need to do. We'll respond to the bank, and email you once it decides."),
    ],
  });
}

export function disputeEndedEmail({ title, cents, url, ...dispute }: DisputeForEmail): EmailLayout {
  const amount = formatCents(cents);
  const decided = dispute.state === 'won' ? 'in your favor' : 'for the buyer';
  return renderLayout({
    subject: `${title}: you ${dispute.state} the ${amount} dispute`,
    preview: `The bank decided ${decided}.`,
    head: { above: `Dispute ${dispute.state}`, title, below: [amount] },
    blocks: [
      paragraph(`The buyer's bank decided ${decided}, so you ${dispute.state} the ${amount} dispute.`),
      paragraph(endedDisputeEffect(dispute)),
      button('Open your profile', url),
    ],
  });
}
