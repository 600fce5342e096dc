/** A ticket may go to another address a few times, until the event starts. */
import type { TicketState } from '#domain/tickets.ts';

export const TRANSFERS_MAX = 3;

/** `off`: the organizer doesn't allow it. `ended`: the ticket no longer admits. */
type TransferDenial = 'off' | 'closed' | 'limit' | 'scanned' | 'disputed' | 'ended';

interface EventToTransfer {
  startsAt: Date;
  cancelledAt: Date | null;
  allowsTicketTransfer: boolean;
}

interface TicketToTransfer {
  state: TicketState;
  disputedAt: Date | null;
  transferredCount: number;
}

/** Why no ticket of the event can be transferred. */
export function denyTransfers(
  { startsAt, cancelledAt, allowsTicketTransfer }: EventToTransfer,
  now: Date,
): 'off' | 'closed' | 'ended' | null {
  if (cancelledAt) return 'ended';
  if (now >= startsAt) return 'closed';
  return allowsTicketTransfer ? null : 'off';
}

export function denyTransfer(ticket: TicketToTransfer, event: EventToTransfer, now: Date): TransferDenial | null {
  if (ticket.state === 'scanned') return 'scanned';
  if (ticket.state !== 'valid') return 'ended';
  if (ticket.disputedAt) return 'disputed';
  const denial = denyTransfers(event, now);
  if (denial) return denial;
  return ticket.transferredCount >= TRANSFERS_MAX ? 'limit' : null;
}

/** A typo in the address of an order is corrected by its buyer in the first hour, and once. */
export const CORRECTION_MINUTES = 60;

interface OrderToCorrect {
  paidAt: Date;
  totalCents: number;
  /** Corrections so far. */
  linkVersion: number;
}

/** When the buyer's chance ends; null if there is none. The address of a free order was proved. */
export function correctableUntil({ paidAt, totalCents, linkVersion }: OrderToCorrect): Date | null {
  if (totalCents === 0 || linkVersion > 0) return null;
  return new Date(paidAt.getTime() + CORRECTION_MINUTES * 60_000);
}
