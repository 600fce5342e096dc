/**
 * The shipped rules in another time scale, so that a run takes minutes: a minute of each `for:` and of each range such as `[5m]` becomes
 * `MINUTE_SECONDS`, or longer where starts are counted. Nothing else is rewritten. Thresholds are as shipped, also those that are seconds.
 */
const MINUTE_SECONDS = 1;

const MINUTES: Record<string, number> = { m: 1, h: 60, d: 24 * 60 };
/** A worker takes seconds to start, on any scale: three starts need three times as long a range. */
const RANGE_OF_STARTS = /(?<=process_start_time_seconds\{[^}]*\}\[)15m(?=\])/g;
const RANGE_OF_STARTS_SECONDS = 3 * 15 * MINUTE_SECONDS;
const DURATION = /(?<=\bfor: |\[)(\d+)([mhd])(?=\]|$)/gm;

export const scaled = (rules: string): string =>
  rules
    .replace(RANGE_OF_STARTS, `${RANGE_OF_STARTS_SECONDS}s`)
    .replace(DURATION, (_text, count: string, unit: string) => {
      const seconds = Number(count) * (MINUTES[unit] ?? 0) * MINUTE_SECONDS;
      return `${seconds}s`;
    });
