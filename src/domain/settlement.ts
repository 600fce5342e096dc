/**
 * When refunds close and the payout opens. Both use the same constant and comparison, so that an amount is never
 * refundable and payable at once.
 */

import type { PayoutStatement } from './payout-statement.ts';
import type { TicketState } from './tickets.ts';

export const SETTLEMENT_HOLD_HOURS = 24;

const HOUR = 60 * 60 * 1000;

export function settlesAt(eventEndsAt: Date): Date {
  return new Date(eventEndsAt.getTime() + SETTLEMENT_HOLD_HOURS * HOUR);
}

export const isSettled = (eventEndsAt: Date, now: Date): boolean => now >= settlesAt(eventEndsAt);

/**
 * When refunds of a ticket close, counted as if its event ended then: an operator's undo of a check-in gives the buyer the
 * whole window again, however late it comes.
 */
export const refundableEnd = (eventEndsAt: Date, checkInUndoneAt: Date | null): Date =>
  checkInUndoneAt && checkInUndoneAt > eventEndsAt ? checkInUndoneAt : eventEndsAt;

export type RefundDenial = 'already-refunded' | 'already-scanned' | 'void' | 'window-closed';

export function denyRefund(ticket: { state: TicketState; eventEndsAt: Date }, now: Date): RefundDenial | null {
  if (ticket.state === 'refunding' || ticket.state === 'refunded') return 'already-refunded';
  if (ticket.state === 'scanned') return 'already-scanned';
  if (ticket.state === 'void') return 'void';
  return isSettled(ticket.eventEndsAt, now) ? 'window-closed' : null;
}

/** Refunds that someone decided on: of a ticket's whole price, and the ticket works again if Stripe refuses. */
export const isChosenRefund = (reason: string): boolean => reason === 'requested' || reason === 'organizer';

/** After so many refunded orders within so many days, the organizer decides about further ones. */
const REFUNDED_ORDERS_MAX = 5;
export const REFUNDED_ORDERS_DAYS = 30;

/** Of the same address or card. Free tickets, moved events and further tickets of an order that counts already are never denied. */
export function denyRepeatedRefund({
  cents,
  otherOrders,
  isCounted,
  isMoved,
}: {
  cents: number;
  otherOrders: number;
  isCounted: boolean;
  isMoved: boolean;
}): 'ask-organizer' | null {
  if (cents === 0 || isCounted || isMoved) return null;
  return otherOrders >= REFUNDED_ORDERS_MAX ? 'ask-organizer' : null;
}

export const PAYOUT_DENIALS = [
  'event-cancelled',
  'already-paid-out',
  'too-early',
  'objections-open',
  'nothing-sold',
  'only-free-tickets',
  'all-disputed',
  'fees-exceed-sales',
] as const;

export type PayoutDenial = (typeof PAYOUT_DENIALS)[number];

export function denyPayout(
  event: { endsAt: Date; cancelledAt: Date | null; isPaidOut: boolean; hasOpenObjections: boolean },
  statement: Pick<PayoutStatement, 'paidTickets' | 'freeTickets' | 'netCents' | 'debtDeductedCents' | 'onHoldCents'>,
  now: Date,
): PayoutDenial | null {
  if (event.cancelledAt) return 'event-cancelled';
  if (event.isPaidOut) return 'already-paid-out';
  if (!isSettled(event.endsAt, now)) return 'too-early';
  if (event.hasOpenObjections) return 'objections-open';
  const { paidTickets, freeTickets, netCents, debtDeductedCents, onHoldCents } = statement;
  if (paidTickets === 0) {
    if (onHoldCents > 0) return 'all-disputed';
    return freeTickets > 0 ? 'only-free-tickets' : 'nothing-sold';
  }
  // The amount applied to a debt counts as due: a payout may settle the debt and transfer nothing.
  return netCents + debtDeductedCents <= 0 ? 'fees-exceed-sales' : null;
}
