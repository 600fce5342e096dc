/** What an organizer is told of a dispute: what it means for the payout of the event. */
import { formatCents } from '#domain/money.ts';

export interface DisputedMoney {
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  isCancelled: boolean;
  /** What was taken back from the organizer for it, or is about to be; `null` where nothing had been paid out. */
  reversedCents: number | null;
  /** The event's payout had left its tickets out. */
  wasOnHold: boolean;
  /** Tickets of the order that are still valid. */
  hasGoodTickets: boolean;
}

export function openedMeans({ isCancelled, reversedCents }: DisputedMoney): string {
  if (isCancelled) return 'The event is cancelled, so this changes no payout of yours.';
  if (reversedCents !== null) {
    return `This event was paid out already, so ${formatCents(reversedCents)} of it is taken back from your payout account. Where that is empty, your next payout is lowered by it. If the bank decides for you, you get it back.`;
  }
  return 'Until the bank has decided, the tickets of this payment are not let in, and their money is left out of your payout. If the bank decides for you, you get it.';
}

export function endedMeans(dispute: DisputedMoney): string {
  if (dispute.isCancelled) return 'The event is cancelled, so this changes no payout of yours.';
  return dispute.state === 'won' ? wonMeans(dispute) : lostDisputeEffect(dispute);
}

function wonMeans({ reversedCents, wasOnHold }: DisputedMoney): string {
  if (reversedCents !== null || wasOnHold) {
    return 'The money is yours again. We send it to your payout account by ourselves; you need not ask for it.';
  }
  return 'The tickets are good again, and their money is part of your payout as before.';
}

function lostDisputeEffect({ reversedCents, hasGoodTickets }: DisputedMoney): string {
  if (reversedCents !== null)
    return `The buyer keeps the money. Of your payout ${formatCents(reversedCents)} is taken back.`;
  if (hasGoodTickets)
    return 'The buyer keeps this part of the money, and it is deducted from your payout. The tickets stay good.';
  return 'The buyer keeps the money. The tickets of this payment are void, and no part of your payout.';
}
