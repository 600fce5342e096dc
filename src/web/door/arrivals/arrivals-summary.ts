import { plural } from '#messages/format.ts';
import { shortMoment } from '../event-clock.ts';
import { type ArrivalBars, BAR_MS } from './arrival-bars.ts';

/** Summarizes the chart as text: `52 arrivals, 7:00 PM – 7:45 PM. Busiest: 7:15 PM (18).` */
export function summarizeArrivals({ bars, earlier }: ArrivalBars, timezone: string, now: number): string {
  const time = (instant: number) => shortMoment(instant, timezone, now);
  const nonEmpty = bars.filter(({ admitted }) => admitted > 0);
  const [first] = nonEmpty;
  const last = nonEmpty.at(-1);
  if (!first || !last) return '';

  const total = nonEmpty.reduce((sum, { admitted }) => sum + admitted, 0);
  const busiest = nonEmpty.reduce((top, bar) => (bar.admitted > top.admitted ? bar : top));
  const span = `${plural(total, { one: '# arrival', other: '# arrivals' })}, ${time(first.from)} – ${time(last.from + BAR_MS)}.`;
  const peak =
    nonEmpty.length > 1 ? ` Busiest: ${time(busiest.from)} (${busiest.admitted.toLocaleString('en-US')}).` : '';
  return `${span}${peak}${earlier > 0 ? ` Before that: ${earlier.toLocaleString('en-US')}.` : ''}`;
}
