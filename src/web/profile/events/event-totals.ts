/** What a card says about one event, worked out from what the server sent. */
import { counted, formatCount } from '#contract/counted.ts';
import {
  cancelRefusals,
  editRefusals,
  eventCancelled,
  type OrganizerEvent,
  type OwnTicketType,
} from '#contract/events.ts';
import { payoutObstacles } from '#contract/payouts.ts';
import { formatDollars } from '#domain/money.ts';
import { formatShort } from '#web/ui/data/format.ts';

export const ticketsOffered = (event: OrganizerEvent) =>
  event.tickets.reduce((total, ticket) => total + ticket.ticketQuantity, 0);

export type EventStatus = 'Scheduled' | 'On sale' | 'Ended' | 'Cancelled';

export function statusOf(event: OrganizerEvent, now: Date): EventStatus {
  if (event.isCancelled) return 'Cancelled';
  if (hasEnded(event, now)) return 'Ended';
  return salesStartNote(event, now) ? 'Scheduled' : 'On sale';
}

/** `Sales start Fri, Jun 5, 2026, 10:00 AM EDT.`, while that lies ahead. */
export function salesStartNote(
  { salesStartAt, timezone }: Pick<OrganizerEvent, 'salesStartAt' | 'timezone'>,
  now: Date,
): string | null {
  if (!salesStartAt || now >= new Date(salesStartAt)) return null;
  return `Sales start ${formatShort(salesStartAt, timezone)}.`;
}

/** By the server's word where it gave one: the clock of this device may be wrong. */
export function hasEnded(event: OrganizerEvent, now: Date): boolean {
  return event.payout.state === 'open' || isPayoutRequested(event) || now >= new Date(event.endDate_endTime);
}

/** From here on nothing of the event can change. */
export function isPayoutRequested({ payout: { state } }: OrganizerEvent): boolean {
  return state === 'requested' || state === 'awaiting-funds' || state === 'awaiting-account' || state === 'paid';
}

/** Over without a ticket sold, as far as this device knows: decides what is shown, never what can be asked for. */
export function endedWithoutSales(event: OrganizerEvent, now: Date): boolean {
  return event.ticketsSold === 0 && hasEnded(event, now) && !isPayoutRequested(event);
}

/**
 * Why the event can no longer be edited, in words; null where it can. It holds for good: anything that depends on a clock or
 * on the latest sales, the server decides. The two below are of the same kind.
 */
export function editRefusal(event: OrganizerEvent): string | null {
  if (event.isCancelled) return editRefusals['event-cancelled'];
  return isPayoutRequested(event) ? editRefusals['event-paid-out'] : null;
}

export const payoutRefusal = (event: OrganizerEvent): string | null =>
  event.isCancelled ? payoutObstacles['event-cancelled'] : null;

export function cancelRefusal(event: OrganizerEvent): string | null {
  if (event.isCancelled) return eventCancelled;
  return isPayoutRequested(event) ? cancelRefusals['event-paid-out'] : null;
}

/** Why a ticket type has to stay, and with how many tickets at least; null where all of them are free to go. */
export function takenNote({ ticketQuantity, available, ticketsSold }: OwnTicketType): string | null {
  const taken = ticketQuantity - available;
  if (taken === 0) return null;
  return `${formatCount(taken)} ${taken === ticketsSold ? 'sold' : 'sold or in a checkout'}. You can't go below that or remove this ticket.`;
}

/** What cancelling gives back, and to how many: `3 buyers get $100.00 back for 4 tickets.` */
export function refundOutlook(event: OrganizerEvent): string {
  if (event.ticketsSold === 0) return 'No tickets are sold, so there is nothing to give back.';
  const tickets = counted(event.ticketsSold, 'ticket');
  const amount = formatDollars(event.gross);
  if (event.guestListNext !== null) return `The buyers of ${tickets} get ${amount} back.`;
  const buyers = new Set(event.guestList.map((guest) => guest.email.toLowerCase())).size;
  return `${counted(buyers, 'buyer')} ${buyers === 1 ? 'gets' : 'get'} ${amount} back for ${tickets}.`;
}

/** `Fri, Jun 12, 2026, 8:00 PM – 11:30 PM EDT`, on the event's own clock. */
export function spokenRange(event: OrganizerEvent): string {
  const range = new Intl.DateTimeFormat('en-US', {
    timeZone: event.timezone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  // Plain spaces, as everywhere: engines put narrow ones around the dash and before AM and PM.
  const spoken = range.formatRange(new Date(event.startDate_startTime), new Date(event.endDate_endTime));
  return spoken.replaceAll(/[\u2009\u202f]/g, ' ');
}
