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
    return `This event was paid out already, so ${formatCents(reversedCents)} of it is taken back from your payout account. Where that is empty, your next payout is lowered by it. If the bank decides for you, you get it back.`;
  }
  return 'Until the bank has decided, the tickets of this payment are not let in, and their money is left out of your payout. If the bank decides for you, you get it.';
}

export function endedDisputeEffect(dispute: DisputedMoney): string {
  if (dispute.isCancelled) return 'The event is cancelled, so this changes no payout of yours.';
  return dispute.state === 'won' ? wonDisputeEffect(dispute) : lostDisputeEffect(dispute);
}

function wonDisputeEffect({ reversedCents, wasOnHold }: DisputedMoney): string {
  if (reversedCents !== null || wasOnHold) {
    return 'The money is yours again. We send it to your payout account by ourselves; you need not ask for it.';
  }
  return 'The tickets are good again, and their money is part of your payout as before.';
}

function lostDisputeEffect({ reversedCents, hasValidTickets }: DisputedMoney): string {
  if (reversedCents !== null)
    return `The buyer keeps the money. Of your payout ${formatCents(reversedCents)} is taken back.`;
  if (hasValidTickets)
    return 'The buyer keeps this part of the money, and it is deducted from your payout. The tickets stay good.';
  return 'The buyer keeps the money. The tickets of this payment are void, and no part of your payout.';
}
