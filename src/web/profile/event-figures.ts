/** What a card says about one event, worked out from what the server sent. */
import type { OrganizerEvent } from '#contract/events.ts';
import { formatCents } from '#domain/money.ts';

export const ticketsOffered = (event: OrganizerEvent) =>
  event.tickets.reduce((total, ticket) => total + ticket.ticketQuantity, 0);

export type EventStatus = 'On sale' | 'Ended' | 'Cancelled';

export function statusOf(event: OrganizerEvent, now: Date): EventStatus {
  if (event.isCancelled) return 'Cancelled';
  return hasEnded(event, now) ? 'Ended' : 'On sale';
}

/** By the server's word where it gave one: the clock of this device may be wrong. */
export function hasEnded(event: OrganizerEvent, now: Date): boolean {
  return event.payout.state === 'open' || isPayoutRequested(event) || now >= new Date(event.endDate_endTime);
}

/** From here on nothing of the event can change. */
export function isPayoutRequested({ payout: { state } }: OrganizerEvent): boolean {
  return state === 'requested' || state === 'awaiting-funds' || state === 'awaiting-account' || state === 'paid';
}

/** Dollars of the wire, as every screen writes money. Rounded, because a sum may carry a float's dust. */
export function money(dollars: number): string {
  return formatCents(Math.round(dollars * 100));
}

/** Tickets of one type that were surely sold: the first page of guests, which is all of them for most events. */
export function soldOf(event: OrganizerEvent, ticketId: string): number {
  const name = event.tickets.find((ticket) => ticket.ticketId === ticketId)?.ticketName;
  return event.guestList.filter((guest) => guest.ticketName === name).length;
}

/** What cancelling gives back, and to how many: `3 buyers get $100.00 back for 4 tickets.` */
export function refundOutlook(event: OrganizerEvent): string {
  if (event.ticketsSold === 0) return 'No tickets are sold, so there is nothing to give back.';
  const tickets = counted(event.ticketsSold, 'ticket');
  const amount = money(event.gross);
  if (event.guestListNext !== null) return `The buyers of ${tickets} get ${amount} back.`;
  const buyers = new Set(event.guestList.map((guest) => guest.email.toLowerCase())).size;
  return `${counted(buyers, 'buyer')} ${buyers === 1 ? 'gets' : 'get'} ${amount} back for ${tickets}.`;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
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
