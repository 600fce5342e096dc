/** Arrivals as bars of five minutes each, empty ones included. */
import { type CheckInDashboard } from '#contract/app/check-in-devices.ts';
import { scaleTop } from '#web/ui/chart/scale.ts';

export const BAR_MS = 5 * 60_000;
/** Six hours. An earlier test scan would squeeze the evening. */
const BARS_MAX = 72;
const BARS_MIN = 12;
/** The chart stops growing this long after the last guest. */
const TAIL_MS = 60 * 60_000;

export interface ArrivalBar {
  from: number;
  admitted: number;
}

export interface ArrivalBars {
  bars: ArrivalBar[];
  /** Admissions before the first bar. */
  earlier: number;
  /** The top of the scale, at least as high as the highest bar. */
  top: number;
}

export function arrivalBars(arrivals: CheckInDashboard['arrivals'], now: number): ArrivalBars {
  const admittedFrom = new Map<number, number>();
  for (const { from, admitted } of arrivals) {
    const bar = startOfBar(from);
    admittedFrom.set(bar, (admittedFrom.get(bar) ?? 0) + admitted);
  }
  if (admittedFrom.size === 0) return { bars: [], earlier: 0, top: 0 };

  const last = Math.max(...admittedFrom.keys());
  const end = Math.max(last, Math.min(startOfBar(now), last + TAIL_MS));
  const earliest = end - (BARS_MAX - 1) * BAR_MS;
  const first = Math.min(...[...admittedFrom.keys()].filter((from) => from >= earliest), end - (BARS_MIN - 1) * BAR_MS);

  const bars: ArrivalBar[] = [];
  for (let from = first; from <= end; from += BAR_MS) bars.push({ from, admitted: admittedFrom.get(from) ?? 0 });
  const shown = sum(bars);
  return { bars, earlier: sum(arrivals) - shown, top: scaleTop(Math.max(...bars.map(({ admitted }) => admitted))) };
}

/** Arrivals since the start of the previous bar: the last five to ten minutes. */
export function recentArrivals(arrivals: CheckInDashboard['arrivals'], now: number): ArrivalBar {
  const from = startOfBar(now) - BAR_MS;
  return { from, admitted: sum(arrivals.filter((bar) => bar.from >= from)) };
}

/** The bars with a time label: every 15, 30 or 60 minutes, depending on the number of bars. */
export function labelledBars(bars: readonly ArrivalBar[]): ArrivalBar[] {
  const step = (bars.length > 36 ? 60 : bars.length > 18 ? 30 : 15) * 60_000;
  return bars.filter(({ from }) => from % step === 0);
}

const startOfBar = (instant: number) => Math.floor(instant / BAR_MS) * BAR_MS;
const sum = (bars: readonly { admitted: number }[]) => bars.reduce((total, { admitted }) => total + admitted, 0);
