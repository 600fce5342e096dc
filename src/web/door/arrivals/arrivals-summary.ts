import { shortMoment } from '../event-clock.ts';
import { type ArrivalBars, BAR_MS } from './arrival-bars.ts';

/** What the chart shows, in a sentence or two: `52 came in between 7:00 PM and 7:45 PM, most of them (18) from 7:15 PM.` */
export function arrivalsInWords({ bars, earlier }: ArrivalBars, timezone: string, now: number): string {
  const time = (instant: number) => shortMoment(instant, timezone, now);
  const full = bars.filter(({ admitted }) => admitted > 0);
  const [first] = full;
  const last = full.at(-1);
  if (!first || !last) return '';

  const total = full.reduce((sum, { admitted }) => sum + admitted, 0);
  const busiest = full.reduce((most, bar) => (bar.admitted > most.admitted ? bar : most));
  const span = `${total.toLocaleString('en-US')} came in between ${time(first.from)} and ${time(last.from + BAR_MS)}`;
  const peak =
    full.length > 1 ? `, most of them (${busiest.admitted.toLocaleString('en-US')}) from ${time(busiest.from)}` : '';
  return `${span}${peak}.${earlier > 0 ? ` Before that: ${earlier.toLocaleString('en-US')}.` : ''}`;
}
