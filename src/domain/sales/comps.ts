/** Comps: tickets that an organizer gives away. */
import { isSettled } from '#domain/settlement.ts';
import type { TicketState } from '#domain/tickets.ts';

export type WithdrawalDenial = 'already-withdrawn' | 'already-scanned' | 'void' | 'window-closed';

/** A comp can be withdrawn until its guest is in, and as long as buyers can refund theirs. */
export function denyWithdrawal(
  { state, eventEndsAt }: { state: TicketState; eventEndsAt: Date },
  now: Date,
): WithdrawalDenial | null {
  if (state === 'scanned') return 'already-scanned';
  if (state === 'void') return 'void';
  if (state !== 'valid') return 'already-withdrawn';
  return isSettled(eventEndsAt, now) ? 'window-closed' : null;
}
