/** What the charts of an event's sales show, from the sales of each day. */
import type { EventOverview } from '#contract/app/records/overview.ts';
import { addDays, dayOf, daysBetween } from '#domain/sales/sales-days.ts';
import { overview as text } from '#messages/records/overview.ts';
import type { AxisLabel, ChartPoint } from '#web/ui/chart/chart-parts.ts';
import { scaleTop } from '#web/ui/chart/scale.ts';
import { written } from '#web/ui/data/format.ts';

type Sales = Pick<EventOverview, 'days' | 'pace' | 'sold' | 'offered' | 'startsAt' | 'timezone' | 'now'>;

interface DayRow {
  day: string;
  sold: number;
  inAll: number;
}

/** A capacity that is many times what is sold would flatten the line. */
const LIMIT_MAX = 4;
/** The days to come take at most so many times the room of those that were. */
const AHEAD_MAX = 2;
const DAYS_SHOWN = 14;

/** `Fri, Jun 12`. A calendar day has no time zone. */
export const shortDay = (day: string): string => {
  return written(`${day}T12:00:00Z`, { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' });
};
export const monthDay = (day: string): string =>
  written(`${day}T12:00:00Z`, { timeZone: 'UTC', month: 'short', day: 'numeric' });

function dayRows(days: EventOverview['days']): DayRow[] {
  let inAll = 0;
  return days.map(({ day, sold }) => {
    inAll += sold;
    return { day, sold, inAll };
  });
}

/** Tickets sold in all since the first sale, with room for the days until the event. */
export function paceChart({ days, pace, offered, startsAt, timezone }: Sales) {
  const rows = dayRows(days);
  const [first, last] = [rows[0]?.day ?? '', rows.at(-1)?.day ?? ''];
  const eventDay = dayOf(new Date(startsAt), timezone);
  const ahead = Math.max(0, daysBetween(last, eventDay));
  const shownAhead = Math.min(ahead, Math.max(DAYS_SHOWN, rows.length * AHEAD_MAX));
  const slots = rows.length + shownAhead;
  const now = rows.at(-1)?.inAll ?? 0;
  // Where the axis ends before the event, the dashed line is as high as it is on the way.
  const outlook = pace === null || ahead === 0 ? undefined : now + (pace - now) * (shownAhead / ahead);
  const most = Math.max(1, outlook ?? 0, ...rows.map(({ inAll }) => inAll));
  const hasLimit = offered <= most * LIMIT_MAX;

  const end = addDays(last, shownAhead);
  const axis = [
    { at: 0.5, text: monthDay(first) },
    ...(shownAhead > 0 ? [{ at: rows.length - 0.5, text: text.todayLabel }] : []),
    { at: slots - 0.5, text: end === eventDay && ahead > 0 ? text.startLabel(monthDay(end)) : monthDay(end) },
  ];

  return {
    rows,
    points: rows.map(
      ({ day, inAll }): ChartPoint => ({ key: day, value: inAll, title: text.inAllTitle(shortDay(day), inAll) }),
    ),
    slots,
    axis: withRoom(axis, slots),
    top: scaleTop(hasLimit ? Math.max(offered, most) : most),
    limit: hasLimit ? offered : undefined,
    outlook,
  };
}

/** Labels closer than this share of the width would overlap on a phone. */
const ROOM = 0.24;

/** Without `Today` where the first or the last label has its place. */
function withRoom(axis: readonly AxisLabel[], slots: number): AxisLabel[] {
  return axis.filter(
    ({ at, text: label }, index) =>
      index === 0 ||
      index === axis.length - 1 ||
      axis.every((other) => other.text === label || Math.abs(other.at - at) / slots >= ROOM),
  );
}

/** The last days with those before the first sale, so that the bars are always as wide. */
export function lastDaysChart({ days }: Pick<Sales, 'days'>) {
  const last = days.at(-1)?.day ?? '';
  const soldOn = new Map(days.map(({ day, sold }) => [day, sold]));
  const rows = Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = addDays(last, index - DAYS_SHOWN + 1);
    return { day, sold: soldOn.get(day) ?? 0 };
  });
  return {
    rows,
    points: rows.map(
      ({ day, sold }): ChartPoint => ({ key: day, value: sold, title: text.dayTitle(shortDay(day), sold) }),
    ),
    axis: rows
      .map(({ day }, index): AxisLabel => ({ at: index + 0.5, text: monthDay(day) }))
      .filter((_label, index) => index % 3 === 1),
    top: scaleTop(Math.max(...rows.map(({ sold }) => sold))),
  };
}
