/** Check-in rules. A ticket admits one guest, unless the event is cancelled or the ticket is refunded, void or disputed. */
import type { TicketState } from './tickets.ts';

export type AdmissionDenial = 'event-cancelled' | 'refunding' | 'refunded' | 'disputed' | 'void' | 'already-in';

export interface TicketAtDoor {
  state: TicketState;
  disputedAt: Date | null;
  cancelledAt: Date | null;
}

export function denyAdmission({ state, disputedAt, cancelledAt }: TicketAtDoor): AdmissionDenial | null {
  if (cancelledAt) return 'event-cancelled';
  if (state === 'scanned') return 'already-in';
  if (state !== 'valid') return state;
  return disputedAt ? 'disputed' : null;
}
