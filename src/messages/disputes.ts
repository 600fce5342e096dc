/** How a dispute affects the event's payout, for the organizer. */
import { formatCents, plural } from './format.ts';

export interface DisputedMoney {
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  isCancelled: boolean;
  /** Reversed from the organizer's payout, or about to be; `null` if nothing was paid out. */
  reversedCents: number | null;
  /** Refunds that the buyer got at Stripe meanwhile used all of it. */
  isUsed: boolean;
  /** Of it, taken from what the payout held back. */
  reserveCents: number;
  /** The payout excluded the disputed tickets. */
  wasOnHold: boolean;
  /** Tickets of the order that are still valid. */
  hasValidTickets: boolean;
}

/** On the organizer's profile, and in emails about a dispute. */
export const ownDisputes = {
  title: (count: number) => plural(count, { one: '# disputed payment', other: '# disputed payments' }),
  weAnswer: "We'll respond to the bank, and email you once it decides.",
  lead: 'We send the bank the purchase, our emails, scans and refunds, and what you know about the sale.',
  add: 'Add what you know',
  change: 'Change your text',
  denied: { sent: 'Sent to the bank', 'too-late': 'Deadline passed' },
  dialog: 'Add to the evidence',
  label: 'What you know about this sale',
  hint: 'For example, what the buyer wrote to you, or who saw them at the event. The bank and the buyer can read it.',
  save: 'Save',
  saved: "Saved. We'll send it with the evidence.",
  removed: "Removed. We'll send the evidence without it.",
  failed: "We couldn't save your text. Please try again.",
};

const cancelledEffect = "This event is cancelled, so your payouts don't change.";

export function openedDisputeEffect({ isCancelled, reversedCents, reserveCents }: DisputedMoney): string {
  if (isCancelled) return cancelledEffect;
  if (reversedCents !== null) {
    const taken = amountTaken(reversedCents, reserveCents);
    const ifEmpty =
      reversedCents > reserveCents ? " If your Stripe account is empty, we'll deduct it from your next one." : '';
    return `This event was already paid out, so we ${taken}.${ifEmpty} If you win, you get it back.`;
  }
  return "While the bank decides, these tickets won't scan and the money is on hold. If you win, it's yours.";
}

export function endedDisputeEffect(dispute: DisputedMoney): string {
  if (dispute.isCancelled) return cancelledEffect;
  return dispute.state === 'won' ? wonDisputeEffect(dispute) : lostDisputeEffect(dispute);
}

function wonDisputeEffect({ reversedCents, isUsed, wasOnHold }: DisputedMoney): string {
  if (isUsed) return 'The buyer was refunded at Stripe meanwhile, so nothing is left to send you.';
  if (reversedCents !== null || wasOnHold) {
    return "The money is yours. We'll send it to your Stripe account automatically.";
  }
  return 'The tickets work again, and the money counts toward your payout.';
}

/** `reversed $5.00 of your payout`, or what was held back of it. */
function amountTaken(reversedCents: number, reserveCents: number): string {
  const reserve = `took ${formatCents(reserveCents)} of what we held back of your payout`;
  const reversal = `reversed ${formatCents(reversedCents - reserveCents)} of your payout`;
  if (reserveCents === 0) return reversal;
  return reversedCents > reserveCents ? `${reserve}, and ${reversal}` : reserve;
}

function lostDisputeEffect({ reversedCents, reserveCents, hasValidTickets }: DisputedMoney): string {
  if (reversedCents !== null) return `The buyer keeps the money. We ${amountTaken(reversedCents, reserveCents)}.`;
  if (hasValidTickets)
    return "The buyer keeps this amount, and we'll deduct it from your payout. The tickets still work.";
  return "The buyer keeps the money. These tickets no longer work and aren't part of your payout.";
}
