import type { EventSales } from '#contract/app/records/sales-report.ts';
import { salesPage as text } from '#messages/records/sales-report.ts';
import type { AxisLabel, ChartPoint } from '#web/ui/chart/chart-parts.ts';
import { scaleTop } from '#web/ui/chart/scale.ts';
import { monthDay, shortDay } from '../sales-chart.ts';

/** Few days are bars as wide as those of two weeks. */
const SLOTS_MIN = 14;

/** The tickets of each day, labelled at its first and last day. */
export function dayChart(days: EventSales['days']) {
  const points = days.map(
    ({ day, tickets }): ChartPoint => ({ key: day, value: tickets, title: text.bar(shortDay(day), tickets) }),
  );
  const first = days[0]?.day ?? '';
  const last = days.at(-1)?.day ?? '';
  const axis: AxisLabel[] = [
    { at: 0.5, text: monthDay(first) },
    ...(days.length > 1 ? [{ at: days.length - 0.5, text: monthDay(last) }] : []),
  ];
  return {
    points,
    slots: Math.max(SLOTS_MIN, days.length),
    axis,
    top: scaleTop(Math.max(...days.map(({ tickets }) => tickets))),
  };
}
