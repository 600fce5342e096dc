/** A weekly event on sale, for journeys and pictures. */
import { randomUUID } from 'node:crypto';
import { eventCard } from '#contract/app/records/workspace.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { expectOk } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { type Organizer, putOnSale } from './organizer-page.ts';

const ZONE = 'America/New_York';
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The ids of its dates, by start. */
export async function putWeeklyOnSale(product: Product, organizer: Organizer, count: number): Promise<string[]> {
  const { eventId } = await putOnSale(product, organizer);
  const { event } = expectOk(await organizer.visitor.call(eventCard, { eventId }));
  const start = new Date(event.startDate_startTime).getTime();
  const dates = Array.from({ length: count - 1 }, (_, week) =>
    localTimeOf(new Date(start + (week + 1) * WEEK_MS), ZONE),
  );
  const added = expectOk(await organizer.visitor.call(addDates, { eventId, dates, requestId: randomUUID() }));
  return [eventId, ...added.eventIds];
}
