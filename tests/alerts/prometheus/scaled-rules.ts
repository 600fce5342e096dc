/**
 * The shipped rules in another time scale, so that a run takes minutes: a minute of each `for:` and of each range such as `[5m]` becomes
 * `MINUTE_SECONDS`. Nothing else is rewritten. Thresholds are as shipped, also those that are seconds.
 */
const MINUTE_SECONDS = 1;

const MINUTES: Record<string, number> = { m: 1, h: 60, d: 24 * 60 };
const DURATION = /(?<=\bfor: |\[)(\d+)([mhd])(?=\]|$)/gm;

export const scaled = (rules: string): string =>
  rules.replace(DURATION, (_text, count: string, unit: string) => {
    const seconds = Number(count) * (MINUTES[unit] ?? 0) * MINUTE_SECONDS;
    return `${seconds}s`;
  });
