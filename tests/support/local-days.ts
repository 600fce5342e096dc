/** Days in New York, where the tests' events take place. */
import { addDays, dayOf } from '#domain/sales/sales-days.ts';

export const dayIn = (from: Date, days: number): string => addDays(dayOf(from, 'America/New_York'), days);

export const noonIn = (from: Date, days: number): string => `${dayIn(from, days)}T12:00`;

/** Times of an event. No clock change touches these hours, also in the weeks before and after. */
export function eveningIn(from: Date, days: number) {
  const day = dayIn(from, days);
  return { startDate_startTime: `${day}T20:00`, endDate_endTime: `${day}T23:00` };
}
