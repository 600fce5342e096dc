/** Totals and status of one event, derived from the server's reply. */

import { type OrganizerEvent } from '#contract/app/events.ts';
import { isSoldOut } from '#domain/order.ts';
import { type EventStatus, eventStatus } from '#domain/sales/event-status.ts';
import { eventErrors } from '#messages/events.ts';
import { BUYERS, formatDollars, plural, TICKETS } from '#messages/format.ts';
import { payoutErrors } from '#messages/payouts.ts';
import { eventCancelled } from '#messages/sales/event-page.ts';
import { formatShort } from '#web/ui/data/format.ts';

export const ticketsOffered = (event: OrganizerEvent) =>
  event.tickets.reduce((total, ticket) => total + ticket.ticketQuantity, 0);

export const statusOf = (event: OrganizerEvent, now: Date): EventStatus =>
  eventStatus(
    {
      isDraft: event.isDraft,
      isCancelled: event.isCancelled,
      isPaidOut: event.payout.state === 'paid',
      startsAt: new Date(event.startDate_startTime),
      // Prefers the server's answer: this device's clock may be wrong.
      endsAt: hasEnded(event, now) ? now : new Date(event.endDate_endTime),
      salesStartAt: event.salesStartAt ? new Date(event.salesStartAt) : null,
      isPaused: event.pausedSales === 'all',
      isSoldOut: event.tickets.every((ticket) => isSoldOut(ticket.available, ticket)),
    },
    now,
  );

/** `Sales start Fri, Jun 5, 2026, 10:00 AM EDT.` while that is in the future. */
export function salesStartNote(
  { salesStartAt, timezone }: Pick<OrganizerEvent, 'salesStartAt' | 'timezone'>,
  now: Date,
): string | null {
  if (!salesStartAt || now >= new Date(salesStartAt)) return null;
  return `Sales start ${formatShort(salesStartAt, timezone)}.`;
}

/** Prefers the server's answer: this device's clock may be wrong. */
export function hasEnded(event: OrganizerEvent, now: Date): boolean {
  const { state } = event.payout;
  const isDue = state === 'open' || state === 'objections-open';
  return isDue || isPayoutRequested(event) || now >= new Date(event.endDate_endTime);
}

/** The event can no longer change. */
export function isPayoutRequested({ payout: { state } }: OrganizerEvent): boolean {
  return state === 'requested' || state === 'awaiting-funds' || state === 'awaiting-account' || state === 'paid';
}

/** Ended without sales, by this device's clock. Affects the display only; the server still accepts requests. */
export function endedWithoutSales(event: OrganizerEvent, now: Date): boolean {
  return event.ticketsSold === 0 && hasEnded(event, now) && !isPayoutRequested(event);
}

/**
 * Why the event can no longer be edited; null if it can. Only permanent reasons: the server decides anything that
 * depends on the clock or on recent sales. The same goes for the next two functions.
 */
export function editDenial(event: OrganizerEvent): string | null {
  if (event.isCancelled) return eventErrors['edit.event-cancelled'];
  return isPayoutRequested(event) ? eventErrors['edit.event-paid-out'] : null;
}

export const payoutDenial = (event: OrganizerEvent): string | null =>
  event.isCancelled ? payoutErrors['payout.event-cancelled'] : null;

export function cancelDenial(event: OrganizerEvent): string | null {
  if (event.isCancelled) return eventCancelled;
  return isPayoutRequested(event) ? eventErrors['cancel.event-paid-out'] : null;
}

/** What a cancellation does: `We'll refund 3 buyers $100.00 for 4 tickets. 9 free tickets end, too.` */
export function refundPreview(event: OrganizerEvent): string {
  const { ticketsSold, freeTickets = 0 } = event;
  if (ticketsSold === 0) return "No tickets sold, so there's nothing to refund.";
  if (ticketsSold === freeTickets) return `There's nothing to refund. ${plural(freeTickets, FREE_TICKETS_END)}.`;
  const refunds = refundsOf(event, plural(ticketsSold - freeTickets, TICKETS));
  return freeTickets === 0 ? refunds : `${refunds} ${plural(freeTickets, FREE_TICKETS_END)}, too.`;
}

const FREE_TICKETS_END = { one: '# free ticket ends', other: '# free tickets end' };

function refundsOf({ gross, guestList, guestListNext }: OrganizerEvent, tickets: string): string {
  if (gross === null) return `We'll refund ${tickets}.`;
  const amount = formatDollars(gross);
  if (guestListNext !== null) return `We'll refund ${amount} for ${tickets}.`;
  const paid = guestList.filter(({ ticketPrice }) => ticketPrice > 0);
  const buyers = new Set(paid.map(({ email, ticketId }) => email.toLowerCase() || ticketId)).size;
  return `We'll refund ${plural(buyers, BUYERS)} ${amount} for ${tickets}.`;
}

/** `Fri, Jun 12, 2026, 8:00 PM – 11:30 PM EDT` in the event's time zone. */
export function formatEventTime(event: OrganizerEvent): string {
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
  // Engines insert narrow spaces around the dash and before AM/PM.
  const text = range.formatRange(new Date(event.startDate_startTime), new Date(event.endDate_endTime));
  return text.replaceAll(/[\u2009\u202f]/g, ' ');
}
