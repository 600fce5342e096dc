/** An event's dates, in its own timezone and in the viewer's. */
import type { PublicEvent } from '#contract/app/events.ts';
import { formatMoment, formatTime, written } from '#web/ui/data/format.ts';

type Dated = Pick<PublicEvent, 'startDate_startTime' | 'endDate_endTime' | 'timezone' | 'doorsOpenAt'>;

/** `viewerZone` is null on the server. */
export function eventDates(event: Dated, viewerZone: string | null) {
  const start = new Date(event.startDate_startTime);
  // Zones with different names can have the same time, such as New York and Toronto.
  const clock = (timeZone: string) => written(start, { timeZone, day: 'numeric', hour: 'numeric', minute: '2-digit' });
  return {
    month: written(start, { timeZone: event.timezone, month: 'short' }),
    day: written(start, { timeZone: event.timezone, day: 'numeric' }),
    start: formatMoment(start, event.timezone),
    end: formatMoment(event.endDate_endTime, event.timezone),
    doors: event.doorsOpenAt && formatMoment(event.doorsOpenAt, event.timezone),
    /** Null if the viewer's clock shows the same time. */
    viewer:
      viewerZone && clock(viewerZone) !== clock(event.timezone)
        ? `${written(start, { timeZone: viewerZone, weekday: 'short' })} ${formatTime(start, viewerZone)}`
        : null,
  };
}
