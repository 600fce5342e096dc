/**
 * When the money of an event stops moving back to buyers and may move on to the organizer.
 * One constant and one comparison serve both, so that no dollar is ever refundable and payable at once.
 */

export const SETTLEMENT_HOLD_HOURS = 24;

const HOUR = 60 * 60 * 1000;

/** From this instant on, refunds are closed and the payout is open. */
export function settlesAt(eventEndsAt: Date): Date {
  return new Date(eventEndsAt.getTime() + SETTLEMENT_HOLD_HOURS * HOUR);
}

export type RefundObstacle = 'already-refunded' | 'already-scanned' | 'void' | 'window-closed';

export function refundObstacle(
  ticket: { state: 'valid' | 'scanned' | 'refunding' | 'refunded' | 'void'; eventEndsAt: Date },
  now: Date,
): RefundObstacle | null {
  if (ticket.state === 'refunding' || ticket.state === 'refunded') return 'already-refunded';
  if (ticket.state === 'scanned') return 'already-scanned';
  if (ticket.state === 'void') return 'void';
  return now >= settlesAt(ticket.eventEndsAt) ? 'window-closed' : null;
}

export type PayoutObstacle =
  | 'event-cancelled'
  | 'already-paid-out'
  | 'too-early'
  | 'nothing-sold'
  | 'all-disputed'
  | 'fees-exceed-sales';

export function payoutObstacle(
  event: { endsAt: Date; cancelledAt: Date | null; isPaidOut: boolean },
  statement: { ticketsSold: number; netCents: number; keptForDebtCents?: number; withheldCents?: number },
  now: Date,
): PayoutObstacle | null {
  if (event.cancelledAt) return 'event-cancelled';
  if (event.isPaidOut) return 'already-paid-out';
  if (now < settlesAt(event.endsAt)) return 'too-early';
  const { ticketsSold, netCents, keptForDebtCents = 0, withheldCents = 0 } = statement;
  if (ticketsSold === 0) return withheldCents > 0 ? 'all-disputed' : 'nothing-sold';
  // What is kept for a debt was due all the same: such a payout settles it, and may bring nothing.
  return netCents + keptForDebtCents <= 0 ? 'fees-exceed-sales' : null;
}
