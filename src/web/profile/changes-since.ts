/** What of an event's form differs from what it was filled from, in the words of its labels. */

import { counted } from '#contract/counted.ts';
import type { OrganizerEvent } from '#contract/events.ts';
import { formatDollars } from '#domain/money.ts';
import { formatShort } from '#web/ui/format.ts';

export interface Change {
  label: string;
  now: string;
}

/** Enough to recognize a description by. */
const SHOWN_MAX = 160;

export function changesSince(before: OrganizerEvent, now: OrganizerEvent): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(now)];
  const changed = [...is].filter(([key, { now }]) => was.get(key)?.now !== now).map(([, change]) => change);
  const removed = before.tickets.filter(({ ticketId }) => !is.has(ticketId));
  return [
    ...changed.map(({ label, now }) => ({ label, now: shortened(now) })),
    ...removed.map(({ ticketName }) => ({ label: 'Ticket', now: `${ticketName} is removed` })),
  ];
}

const shortened = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).trimEnd()}…` : text);

function fieldsOf(event: OrganizerEvent): Map<string, Change> {
  const { timezone, salesStartAt, buyersPerMinute } = event;
  const fields = {
    Title: event.title,
    Description: event.description,
    Participants: event.participants,
    'Start date and time': formatShort(event.startDate_startTime, timezone),
    'End date and time': formatShort(event.endDate_endTime, timezone),
    'Time zone': timezone,
    'On sale from': salesStartAt ? formatShort(salesStartAt, timezone) : 'right away',
    'Waiting room': buyersPerMinute ? `${counted(buyersPerMinute, 'buyer')} per minute` : 'none',
    Street: event.street,
    City: event.city,
    State: event.state,
    'Postal code': event.postalCode,
    Latitude: String(event.latitude),
    Longitude: String(event.longitude),
  };
  const tickets = event.tickets.map(
    ({ ticketId, ticketName, ticketDescription, ticketPrice, ticketQuantity }): [string, Change] => {
      const now = `${ticketName}, ${formatDollars(ticketPrice)}, ${counted(ticketQuantity, 'ticket')}, ${ticketDescription}`;
      return [ticketId, { label: 'Ticket', now }];
    },
  );
  return new Map([
    ...Object.entries(fields).map(([label, now]): [string, Change] => [label, { label, now }]),
    ...tickets,
  ]);
}
