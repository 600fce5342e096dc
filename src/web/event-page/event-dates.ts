/** When an event is: in the words of its own place first, then in those of whoever reads. */
import type { PublicEvent } from '#contract/events.ts';

type Dated = Pick<PublicEvent, 'startDate_startTime' | 'endDate_endTime' | 'timezone'>;

export function eventDates(event: Dated, viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone) {
  const start = new Date(event.startDate_startTime);
  const end = new Date(event.endDate_endTime);
  const there = (options: Intl.DateTimeFormatOptions, moment: Date) => inZone(event.timezone, options, moment);

  return {
    month: there({ month: 'short' }, start),
    day: there({ day: 'numeric' }, start),
    start: there({ weekday: 'long', ...DATE_AND_TIME }, start),
    end: there(DATE_AND_TIME, end),
    viewer: sameClock(start, event.timezone, viewerZone)
      ? null
      : inZone(viewerZone, { weekday: 'short', ...TIME }, start),
  };
}

const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
const DATE_AND_TIME: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'long', day: 'numeric', ...TIME };

function inZone(timeZone: string, options: Intl.DateTimeFormatOptions, moment: Date): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(moment);
}

/** Two zones with other names may keep the same time, as New York and Toronto do. */
function sameClock(moment: Date, one: string, other: string): boolean {
  const clock: Intl.DateTimeFormatOptions = { day: 'numeric', hour: 'numeric', minute: '2-digit' };
  return inZone(one, clock, moment) === inZone(other, clock, moment);
}
