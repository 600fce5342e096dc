import { type DisputedMoney, endedDisputeEffect, openedDisputeEffect, ownDisputes } from '#messages/disputes.ts';
import { formatCents, longDate } from '#messages/format.ts';
import { emailLinks } from '#messages/records/workspace.ts';
import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

export interface DisputeForEmail extends DisputedMoney {
  title: string;
  cents: number;
  /** The disputes of the event's *Money*. */
  url: string;
}

export function disputeOpenedEmail({ title, cents, url, ...dispute }: DisputeForEmail): EmailContent {
  const amount = formatCents(cents);
  return {
    subject: `${title}: a ${amount} payment is disputed`,
    preview: 'A buyer asked their bank for the money back.',
    head: { above: 'Payment disputed', title, below: [amount] },
    blocks: [
      paragraph(`Someone who bought tickets to ${title} asked their bank for ${amount} back.`),
      paragraph(openedDisputeEffect(dispute)),
      button(emailLinks.dispute, url),
      smallPrint(
        `${ownDisputes.weAnswer} You don't have to do anything, but you can add what you know about the sale.`,
      ),
    ],
  };
}

export interface EvidenceDue {
  title: string;
  timezone: string;
  cents: number;
  dueAt: Date;
  /** The disputes of the event's *Money*. */
  url: string;
}

export function evidenceDueEmail({ title, timezone, cents, dueAt, url }: EvidenceDue): EmailContent {
  const amount = formatCents(cents);
  const due = longDate(dueAt, timezone);
  return {
    subject: `${title}: the bank takes evidence until ${due}`,
    preview: 'Add what you know about the disputed sale.',
    head: { above: 'Payment disputed', title, below: [amount, due] },
    blocks: [
      paragraph(
        `Someone who bought tickets to ${title} asked their bank for ${amount} back. The bank takes evidence until ${due}.`,
      ),
      paragraph(`${ownDisputes.lead} We send it once, so add it soon.`),
      button(ownDisputes.add, url),
    ],
  };
}

export function disputeEndedEmail({ title, cents, url, ...dispute }: DisputeForEmail): EmailContent {
  const amount = formatCents(cents);
  const decided = dispute.state === 'won' ? 'in your favor' : 'for the buyer';
  return {
    subject: `${title}: you ${dispute.state} the ${amount} dispute`,
    preview: `The bank decided ${decided}.`,
    head: { above: `Dispute ${dispute.state}`, title, below: [amount] },
    blocks: [
      paragraph(`The buyer's bank decided ${decided}, so you ${dispute.state} the ${amount} dispute.`),
      paragraph(endedDisputeEffect(dispute)),
      button(emailLinks.dispute, url),
    ],
  };
}
