/** Handheld scanners act as keyboards that type a number and Enter faster than any person: this tells the two apart. */

import { SMALLEST_CONFIRMATION_NUMBER } from '#domain/codes.ts';

/** Between two keys. Bluetooth scanners take up to 40 ms; typing 130 words a minute takes 90. */
const GAP_MS = 60;
/** Fewer digits are typed by people, in the lookup field or by mistake. */
const DIGITS_MIN = 6;
const DIGITS_MAX = 100;

const NUMBER_DIGITS = String(SMALLEST_CONFIRMATION_NUMBER).length;

export interface Burst {
  readonly digits: string;
  readonly lastAt: number;
}

export const noBurst: Burst = { digits: '', lastAt: Number.NEGATIVE_INFINITY };

/** Adds a key to the burst, and returns the number that it completes. `at` is in milliseconds; skip key repeats. */
export function afterKey(
  burst: Burst,
  { key, at }: { key: string; at: number },
): { burst: Burst; scan: string | null } {
  const isContinued = at - burst.lastAt <= GAP_MS;
  if (/^\d$/.test(key)) {
    const digits = `${isContinued ? burst.digits : ''}${key}`;
    return { burst: digits.length > DIGITS_MAX ? noBurst : { digits, lastAt: at }, scan: null };
  }
  const isScan = key === 'Enter' && isContinued && burst.digits.length >= DIGITS_MIN;
  return { burst: noBurst, scan: isScan ? burst.digits : null };
}

/** The value of a code field after a scan into it: it may begin with leftover digits, or a pause may have split the scan. */
export const valueAfterScan = (value: string, scan: string): string =>
  value.length === NUMBER_DIGITS && value.endsWith(scan) ? value : scan;
