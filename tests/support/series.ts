/** Series of events. */
import { randomUUID } from 'node:crypto';
import { publicEvent } from '#contract/app/events.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { addDays, dayOf } from '#domain/sales/sales-days.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

/** The event and weekly copies of it, as a series. */
export async function weeklySeries(
  { visitor, eventId }: { visitor: Visitor; eventId: string },
  copies: number,
): Promise<{ seriesId: string; dates: string[] }> {
  const event = expectOk(await visitor.call(publicEvent, { eventId }));
  if (!('timezone' in event)) throw new Error('the event sells nothing');
  const day = dayOf(new Date(event.startDate_startTime), event.timezone);
  // At noon, since the event's own time of day can be one that a clock change skips.
  const dates = Array.from({ length: copies }, (_, index) => `${addDays(day, (index + 1) * 7)}T12:00`);
  const { seriesId, eventIds } = expectOk(await visitor.call(addDates, { eventId, dates, requestId: randomUUID() }));
  return { seriesId: seriesId ?? '', dates: [eventId, ...eventIds] };
}
