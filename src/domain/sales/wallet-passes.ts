/** Passes for the wallets of phones: which one a ticket has, and when it no longer admits. */
import { type AdmissionDenial, denyAdmission, type TicketAtDoor } from '#domain/tickets.ts';

/** A ticket in Apple's wallet, a ticket in Google's, and what all tickets of an event show in Google's. */
export type PassKind = 'apple' | 'google' | 'google-event';

export type VoidReason = Exclude<AdmissionDenial, 'already-in'> | 'transferred';

/** Phones that are notified of the changes of one pass. */
export const DEVICES_PER_PASS = 20;
export const UPDATES_PER_DAY = 20;
/** After the event's end: refunds and disputes that still come matter at no door. */
export const UPDATED_DAYS = 7;

/** Longer than telling the wallets of a batch takes. After that its process counts as dead. */
export const CLAIM_MINUTES = 5;

interface PassOwner {
  orderId: string;
  position: number;
  transferredCount: number;
}

/**
 * A pass replaces the one that a wallet has with the same id. After a transfer the ticket has another: it must not replace that of
 * the holder before, whose phone would show the new number.
 */
export const passIdOf = ({ orderId, position, transferredCount }: PassOwner): string =>
  [orderId, position, ...(transferredCount > 0 ? [transferredCount] : [])].join('-');

/** Why a pass doesn't admit; null if it does. Checking in leaves it as it is: a phone must not load passes in the queue. */
export function voidReason(
  ticket: TicketAtDoor & { transferredCount: number },
  handedOut: { transferredCount: number },
): VoidReason | null {
  if (ticket.transferredCount !== handedOut.transferredCount) return 'transferred';
  const denial = denyAdmission(ticket);
  return denial === 'already-in' ? null : denial;
}

/** Minutes until the next attempt to tell a wallet. */
export const retryMinutes = (attempts: number): number => Math.min(60, 2 ** attempts);
