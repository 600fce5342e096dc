/** Whether this device asks the server or decides alone, as its tries go. */

/** The longest that an attendant waits for the server, where the device can decide alone. */
export const SLOW_MS = 2000;
/** Where it has no list, a late answer is better than none. */
export const PATIENCE_MS = 10_000;
const SLOW_IN_A_ROW = 2;

export interface Line {
  isOnline: boolean;
  slowInARow: number;
}
export const freshLine: Line = { isOnline: true, slowInARow: 0 };

/** How a check went; `failed`: no answer came, or none of the server's own. */
export type Try = 'quick' | 'slow' | 'failed';

/** One failure is enough to decide alone; else it takes two slow checks in a row. */
export function lineAfter(line: Line, how: Try): Line {
  if (how === 'quick') return freshLine;
  const slowInARow = line.slowInARow + 1;
  const isGivenUp = how === 'failed' || slowInARow >= SLOW_IN_A_ROW;
  return { isOnline: line.isOnline && !isGivenUp, slowInARow };
}

/** The list came in time. That says little about checks, so the first one that is slow is believed. */
export function lineAfterNews(line: Line): Line {
  return line.isOnline ? line : { isOnline: true, slowInARow: SLOW_IN_A_ROW - 1 };
}

const PAUSES_MS = [5_000, 10_000, 20_000];

/** Before the server is asked again that has failed so many times in a row. */
export function pauseAfter(failures: number): number {
  return PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0;
}
