/** A weekly event on sale, for journeys and pictures. */
import { randomUUID } from 'node:crypto';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { eveningIn } from '#tests/support/local-days.ts';
import { expectOk } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { type Organizer, putOnSale } from './organizer-page.ts';

/** The ids of its dates, by start. */
export async function putWeeklyOnSale(product: Product, organizer: Organizer, count: number): Promise<string[]> {
  const now = siteOf(product).now();
  const { eventId } = await putOnSale(product, organizer, eveningIn(now, 1));
  const dates = Array.from({ length: count - 1 }, (_, week) => eveningIn(now, 8 + week * 7).startDate_startTime);
  const added = expectOk(await organizer.visitor.call(addDates, { eventId, dates, requestId: randomUUID() }));
  return [eventId, ...added.eventIds];
}
