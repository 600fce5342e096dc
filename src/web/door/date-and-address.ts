import type { PublicEvent } from '#contract/app/events.ts';

type Dates = Pick<PublicEvent, 'startDate_startTime' | 'endDate_endTime' | 'timezone'>;

/** `Fri, Jun 12, 2026, 8:00 – 11:30 PM EDT`, in the event's timezone. */
export function formatDates(event: Dates, length: 'short' | 'long'): string {
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
  const text = range.formatRange(new Date(event.startDate_startTime), new Date(event.endDate_endTime));
  // Browsers put narrow spaces around the dash and before AM and PM.
  return text.replaceAll(/[\u2009\u202f]/g, ' ');
}
