/** Decides from recent checks whether this device asks the server or decides offline. */

/** How long a check waits for the server when this device can decide offline. */
export const SLOW_MS = 2000;
/** Without a list, a late answer is better than none. */
export const TIMEOUT_MS = 10_000;
const SLOW_IN_A_ROW = 2;

export interface Connection {
  isOnline: boolean;
  slowInARow: number;
}
export const freshConnection: Connection = { isOnline: true, slowInARow: 0 };

/** `failed`: no answer, or none from our server. */
export type CheckSpeed = 'quick' | 'slow' | 'failed';

/** One failure switches to offline decisions; otherwise two slow checks in a row do. */
export function afterCheck(connection: Connection, speed: CheckSpeed): Connection {
  if (speed === 'quick') return freshConnection;
  const slowInARow = connection.slowInARow + 1;
  const isOffline = speed === 'failed' || slowInARow >= SLOW_IN_A_ROW;
  return { isOnline: connection.isOnline && !isOffline, slowInARow };
}

/** A prompt list puts the device back online, but says little about checks: the next slow check goes offline again. */
export function afterListRefresh(connection: Connection): Connection {
  return connection.isOnline ? connection : { isOnline: true, slowInARow: SLOW_IN_A_ROW - 1 };
}

const RETRY_DELAYS_MS = [5_000, 10_000, 20_000];

/** The delay before the next sync, by the number of failures in a row. */
export function retryDelay(failures: number): number {
  return RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length) - 1] ?? 0;
}
