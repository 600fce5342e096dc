/** Arrivals as the chart draws them: one bar for every five minutes, also for those in which nobody came. */
import type { DoorView } from '#contract/door-view-words.ts';

export const BAR_MS = 5 * 60_000;
/** Six hours. What was before that, such as a try in the afternoon, would press the evening flat. */
const BARS_MAX = 72;
const BARS_MIN = 12;
/** So long after the last guest the chart stands still. */
const QUIET_MS = 60 * 60_000;

export interface ArrivalBar {
  from: number;
  admitted: number;
}

export interface ArrivalBars {
  bars: ArrivalBar[];
  /** Admissions before the first bar. */
  earlier: number;
  /** Of the scale, at least as high as the highest bar. */
  top: number;
}

export function arrivalBars(arrivals: DoorView['arrivals'], now: number): ArrivalBars {
  const admittedFrom = new Map<number, number>();
  for (const { from, admitted } of arrivals) {
    const bar = startOfBar(from);
    admittedFrom.set(bar, (admittedFrom.get(bar) ?? 0) + admitted);
  }
  if (admittedFrom.size === 0) return { bars: [], earlier: 0, top: 0 };

  const last = Math.max(...admittedFrom.keys());
  const end = Math.max(last, Math.min(startOfBar(now), last + QUIET_MS));
  const earliest = end - (BARS_MAX - 1) * BAR_MS;
  const first = Math.min(...[...admittedFrom.keys()].filter((from) => from >= earliest), end - (BARS_MIN - 1) * BAR_MS);

  const bars: ArrivalBar[] = [];
  for (let from = first; from <= end; from += BAR_MS) bars.push({ from, admitted: admittedFrom.get(from) ?? 0 });
  const shown = sum(bars);
  return { bars, earlier: sum(arrivals) - shown, top: roundTop(Math.max(...bars.map(({ admitted }) => admitted))) };
}

/** Since the beginning of the bar before the one that is filling: five to ten minutes. */
export function lately(arrivals: DoorView['arrivals'], now: number): ArrivalBar {
  const from = startOfBar(now) - BAR_MS;
  return { from, admitted: sum(arrivals.filter((bar) => bar.from >= from)) };
}

/** The bars under which a time stands: full hours, or half ones where there are few bars. */
export function labelledBars(bars: readonly ArrivalBar[]): ArrivalBar[] {
  const step = (bars.length > 36 ? 60 : bars.length > 18 ? 30 : 15) * 60_000;
  return bars.filter(({ from }) => from % step === 0);
}

const startOfBar = (instant: number) => Math.floor(instant / BAR_MS) * BAR_MS;
const sum = (bars: readonly { admitted: number }[]) => bars.reduce((total, { admitted }) => total + admitted, 0);

/** A round number, whose half is whole as well: both stand beside the chart. */
function roundTop(most: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * magnitude >= most) ?? 10;
  return Math.max(2, step * magnitude);
}
