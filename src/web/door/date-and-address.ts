import type { PublicEvent } from '#contract/events.ts';

type Place = Pick<PublicEvent, 'street' | 'city' | 'state' | 'postalCode'>;
type When = Pick<PublicEvent, 'startDate_startTime' | 'endDate_endTime' | 'timezone'>;

export function whenAndWhere(event: When & Place): string {
  return `${spokenRange(event, 'short')} · ${event.city}, ${event.state}`;
}

export function address({ street, city, state, postalCode }: Place): string {
  return `${street}, ${city}, ${state} ${postalCode}`;
}

/** `Fri, Jun 12, 2026, 8:00 – 11:30 PM EDT`, on the event's own clock. */
export function spokenRange(event: When, length: 'short' | 'long'): string {
  const range = new Intl.DateTimeFormat('en-US', {
    timeZone: event.timezone,
    weekday: length,
    month: length,
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const spoken = range.formatRange(new Date(event.startDate_startTime), new Date(event.endDate_endTime));
  // Plain spaces, as everywhere: engines put narrow ones around the dash and before AM and PM.
  return spoken.replaceAll(/[\u2009\u202f]/g, ' ');
}
