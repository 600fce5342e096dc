/** What a card says about one event, worked out from what the server sent. */
import type { OrganizerEvent } from '#contract/events.ts';

export const ticketsOffered = (event: OrganizerEvent) =>
  event.tickets.reduce((total, ticket) => total + ticket.ticketQuantity, 0);

export type EventStatus = 'On sale' | 'Ended' | 'Cancelled';

export function statusOf(event: OrganizerEvent, now: Date): EventStatus {
  if (event.isCancelled) return 'Cancelled';
  return now >= new Date(event.endDate_endTime) ? 'Ended' : 'On sale';
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
