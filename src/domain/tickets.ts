/** The states of tickets, and which of them admit a guest. */

export type TicketState = 'valid' | 'scanned' | 'refunding' | 'refunded' | 'void';

/** States of tickets that count as sold: their guests can come, or came. */
export const SOLD_STATES = ['valid', 'scanned'] as const satisfies readonly TicketState[];

export type AdmissionDenial = 'event-cancelled' | 'refunding' | 'refunded' | 'disputed' | 'void' | 'already-in';

export interface TicketAtDoor {
  state: TicketState;
  disputedAt: Date | null;
  cancelledAt: Date | null;
}

/** A ticket admits one guest, unless the event is cancelled or the ticket is refunded, void or disputed. */
export function denyAdmission({ state, disputedAt, cancelledAt }: TicketAtDoor): AdmissionDenial | null {
  if (cancelledAt) return 'event-cancelled';
  if (state === 'scanned') return 'already-in';
  if (state !== 'valid') return state;
  return disputedAt ? 'disputed' : null;
}
