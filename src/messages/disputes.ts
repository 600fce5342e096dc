/** How a dispute affects the event's payout, for the organizer. */
import { formatCents } from '#domain/money.ts';

export interface DisputedMoney {
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  isCancelled: boolean;
  /** Reversed from the organizer's payout, or about to be; `null` if nothing was paid out. */
  reversedCents: number | null;
  /** The payout excluded the disputed tickets. */
  wasOnHold: boolean;
  /** Tickets of the order that are still valid. */
  hasValidTickets: boolean;
}

export function openedDisputeEffect({ isCancelled, reversedCents }: DisputedMoney): string {
  if (isCancelled) return 'The event is cancelled, so this changes no payout of yours.';
  if (reversedCents !== null) {
    return `This event is already paid out, so we reversed ${formatCents(reversedCents)} of the transfer to your payout account. If the account was empty, we deduct it from your next payout. If the bank decides for you, you get it back.`;
  }
  return "Until the bank decides, these tickets don't admit anyone, and their money is left out of your payout. If the bank decides for you, you get it.";
}

export function endedDisputeEffect(dispute: DisputedMoney): string {
  if (dispute.isCancelled) return 'The event is cancelled, so this changes no payout of yours.';
  return dispute.state === 'won' ? wonDisputeEffect(dispute) : lostDisputeEffect(dispute);
}

function wonDisputeEffect({ reversedCents, wasOnHold }: DisputedMoney): string {
  if (reversedCents !== null || wasOnHold) {
    return "The money is yours again. We're sending it to your payout account automatically.";
  }
  return 'The tickets are valid again, and their money is part of your payout.';
}

function lostDisputeEffect({ reversedCents, hasValidTickets }: DisputedMoney): string {
  if (reversedCents !== null)
    return `The buyer keeps the money. We reversed ${formatCents(reversedCents)} of your payout.`;
  if (hasValidTickets)
    return 'The buyer keeps this part of the money, and we deduct it from your payout. The tickets stay valid.';
  return 'The buyer keeps the money. These tickets are void and not part of your payout.';
}
