/** An event's dates, in its own timezone and in the viewer's. */
import type { PublicEvent } from '#contract/app/events.ts';
import { formatMoment, formatTime } from '#web/ui/data/format.ts';

type Dated = Pick<PublicEvent, 'startDate_startTime' | 'endDate_endTime' | 'timezone'>;

/** `viewerZone` is null on the server. */
export function eventDates(event: Dated, viewerZone: string | null) {
  const start = new Date(event.startDate_startTime);
  return {
    month: inZone(start, event.timezone, { month: 'short' }),
    day: inZone(start, event.timezone, { day: 'numeric' }),
    start: formatMoment(start, event.timezone),
    end: formatMoment(event.endDate_endTime, event.timezone),
    /** Null if the viewer's clock shows the same time. */
    viewer:
      viewerZone === null || sameClock(start, event.timezone, viewerZone)
        ? null
        : `${inZone(start, viewerZone, { weekday: 'short' })} ${formatTime(start, viewerZone)}`,
  };
}

/** Zones with different names can have the same time, such as New York and Toronto. */
function sameClock(moment: Date, one: string, other: string): boolean {
  const clock: Intl.DateTimeFormatOptions = { day: 'numeric', hour: 'numeric', minute: '2-digit' };
  return inZone(moment, one, clock) === inZone(moment, other, clock);
}

function inZone(moment: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(moment);
}
