/** Lists what changed since the form was loaded, by field label. */

import type { OrganizerEvent } from '#contract/app/events.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { BUYERS, formatDollars, plural } from '#messages/format.ts';
import { limitsInWords } from '#messages/sales/order-limits.ts';
import { seriesFields } from '#messages/series/series.ts';
import { ticketTypeFields } from '#web/profile/event-form/ticket-type-fields.ts';
import { formatShort } from '#web/ui/data/format.ts';

export interface Change {
  label: string;
  now: string;
}

/** Long enough to recognize a description. */
const SHOWN_MAX = 160;

/** Compares the fields that the server's version covers, but for the settings that only the *Tickets* page has. */
export function changesSince(before: OrganizerEvent, now: OrganizerEvent): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(now)];
  const changed = [...is].filter(([key, { exact }]) => was.get(key)?.exact !== exact).map(([, field]) => field);
  const removed = before.tickets.filter(({ ticketId }) => !is.has(ticketId));
  return [
    ...changed.map(({ label, now }) => ({ label, now: shortened(now) })),
    ...removed.map(({ ticketName }) => ({ label: 'Ticket', now: `${ticketName} removed` })),
    ...(isReordered(before, now)
      ? [{ label: 'Order of tickets', now: now.tickets.map(({ ticketName }) => ticketName).join(', ') }]
      : []),
  ];
}

function isReordered(before: OrganizerEvent, now: OrganizerEvent): boolean {
  const idsIn = ({ tickets }: OrganizerEvent, other: OrganizerEvent) =>
    tickets.map(({ ticketId }) => ticketId).filter((id) => other.tickets.some(({ ticketId }) => ticketId === id));
  return idsIn(before, now).join() !== idsIn(now, before).join();
}

const shortened = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).trimEnd()}…` : text);

interface Field extends Change {
  /** The compared value: a text may say less, such as a time without its seconds. */
  exact: string;
}

function fieldsOf(event: OrganizerEvent): Map<string, Field> {
  const { timezone, startDate_startTime, endDate_endTime, salesStartAt, buyersPerMinute } = event;
  const { checkInOpensAt, checkInClosesAt } = event;
  const moment = (instant: string): [now: string, exact: string] => [formatShort(instant, timezone), instant];
  const fields: Record<string, string | [now: string, exact: string]> = {
    Title: event.title,
    [seriesFields.subtitle]: event.subtitle ?? 'none',
    Description: event.description,
    Participants: event.participants,
    'Start date and time': moment(startDate_startTime),
    'End date and time': moment(endDate_endTime),
    'Time zone': timezone,
    'On sale from': salesStartAt ? moment(salesStartAt) : 'right away',
    'Waiting room': buyersPerMinute ? `${plural(buyersPerMinute, BUYERS)} per minute` : 'none',
    'Tickets per order': String(event.maxPerOrder ?? ORDER_TICKETS_MAX),
    'Check-in opens': checkInOpensAt ? moment(checkInOpensAt) : 'not set',
    'Check-in closes': checkInClosesAt ? moment(checkInClosesAt) : 'not set',
    'Venue name': event.venueName ?? 'none',
    'Listed on your page': event.isListed ? 'yes' : 'no',
    Street: event.street,
    City: event.city,
    State: event.state,
    'Postal code': event.postalCode,
    Latitude: String(event.latitude),
    Longitude: String(event.longitude),
  };
  const tickets = event.tickets.map((ticket): [string, Field] => {
    const { salesFrom, salesUntil, opensAfter } = ticket;
    const settings = { ...ticket, available: 0, reserved: 0, ticketsSold: 0 };
    const shown = [
      ...ticketTypeFields.map((field) => field.shown(ticket)),
      salesFrom ? `sales from ${formatShort(salesFrom, timezone)}` : '',
      salesUntil ? `sales until ${formatShort(salesUntil, timezone)}` : '',
      limitsInWords(ticket),
      opensAfter ? `after ${event.tickets.find(({ ticketId }) => ticketId === opensAfter)?.ticketName}` : '',
      ticket.isHidden ? 'hidden' : '',
      ticket.hasNamedPrice ? 'buyers name the price' : '',
      ticket.suggestedPrice === undefined ? '' : `${formatDollars(ticket.suggestedPrice)} suggested`,
      ticket.isAddOn ? 'add-on' : '',
      ticket.access ? 'accessible' : '',
      ticket.access === 'companion' ? 'with a companion' : '',
    ];
    const now = shown.filter((text) => text !== '').join(', ');
    return [ticket.ticketId, { label: 'Ticket', now, exact: now + JSON.stringify(settings) }];
  });
  return new Map([
    ...Object.entries(fields).map(([label, field]): [string, Field] => {
      const [now, exact] = typeof field === 'string' ? [field, field] : field;
      return [label, { label, now, exact }];
    }),
    ...tickets,
  ]);
}
