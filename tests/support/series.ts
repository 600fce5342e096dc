/** Series of events. */
import { randomUUID } from 'node:crypto';
import { publicEvent } from '#contract/app/events.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { localTimeOf } from '#domain/local-time.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The event and weekly copies of it, as a series. */
export async function weeklySeries(
  { visitor, eventId }: { visitor: Visitor; eventId: string },
  copies: number,
): Promise<{ seriesId: string; dates: string[] }> {
  const event = expectOk(await visitor.call(publicEvent, { eventId }));
  if (!('timezone' in event)) throw new Error('the event sells nothing');
  const [day = '', time = ''] = localTimeOf(new Date(event.startDate_startTime), event.timezone).split('T');
  const later = (weeks: number) => new Date(Date.parse(day) + weeks * 7 * DAY_MS).toISOString().slice(0, 10);
  const dates = Array.from({ length: copies }, (_, index) => `${later(index + 1)}T${time}`);
  const { seriesId, eventIds } = expectOk(await visitor.call(addDates, { eventId, dates, requestId: randomUUID() }));
  return { seriesId: seriesId ?? '', dates: [eventId, ...eventIds] };
}
