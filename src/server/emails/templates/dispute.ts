import { type DisputedMoney, endedMeans, openedMeans } from '#contract/disputes.ts';
import { formatCents } from '#domain/money.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type EmailLayout, renderLayout } from './layout.ts';

export interface DisputeForEmail extends DisputedMoney {
  title: string;
  cents: number;
  /** Of the profile, where the statement stands. */
  url: string;
}

export function disputeOpenedEmail({ title, cents, url, ...dispute }: DisputeForEmail): EmailLayout {
  return renderLayout({
    subject: `${title}: a payment of ${formatCents(cents)} is disputed`,
    preview: 'A buyer has asked their bank for the money back.',
    head: { above: 'Payment disputed', title, below: [formatCents(cents)] },
    blocks: [
      paragraph(`A buyer of tickets for ${title} has asked their bank to give ${formatCents(cents)} back.`),
      paragraph(openedMeans(dispute)),
      button('Open your profile', url),
      smallPrint('You need not do anything. We answer the bank, and write to you once it has decided.'),
    ],
  });
}

export function disputeEndedEmail({ title, cents, url, ...dispute }: DisputeForEmail): EmailLayout {
  const decided = dispute.state === 'won' ? 'in your favor' : 'for the buyer';
  return renderLayout({
    subject: `${title}: a dispute over ${formatCents(cents)} is ${dispute.state}`,
    preview: `The bank has decided ${decided}.`,
    head: { above: `Dispute ${dispute.state}`, title, below: [formatCents(cents)] },
    blocks: [
      paragraph(
        `The bank of a buyer has decided ${decided}: the dispute over ${formatCents(cents)} is ${dispute.state}.`,
      ),
      paragraph(endedMeans(dispute)),
      button('Open your profile', url),
    ],
  });
}
