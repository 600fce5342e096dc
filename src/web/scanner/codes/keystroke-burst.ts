/**
 * Hand-held scanners are keyboards that type a number and Enter faster than anybody can. This is the rule that tells them
 * from fingers.
 */

import { SMALLEST_CONFIRMATION_NUMBER } from '#domain/codes.ts';

/** Between two keys. Bluetooth scanners need up to 40 ms; a quick typist's 130 words a minute leave 90. */
const GAP_MS = 60;
/** Shorter numbers are typed by people, in the Find field or by mistake. */
const DIGITS_MIN = 6;
const DIGITS_MAX = 100;

const NUMBER_DIGITS = String(SMALLEST_CONFIRMATION_NUMBER).length;

export interface Burst {
  readonly digits: string;
  readonly lastAt: number;
}

export const noBurst: Burst = { digits: '', lastAt: Number.NEGATIVE_INFINITY };

/** The burst after one more key, and the number that it completes. `at` in milliseconds; a key held down is no key. */
export function afterKey(
  burst: Burst,
  { key, at }: { key: string; at: number },
): { burst: Burst; scan: string | null } {
  const goesOn = at - burst.lastAt <= GAP_MS;
  if (/^\d$/.test(key)) {
    const digits = `${goesOn ? burst.digits : ''}${key}`;
    return { burst: digits.length > DIGITS_MAX ? noBurst : { digits, lastAt: at }, scan: null };
  }
  const isScan = key === 'Enter' && goesOn && burst.digits.length >= DIGITS_MIN;
  return { burst: noBurst, scan: isScan ? burst.digits : null };
}

/** What a code field means after a scan into it: digits of an earlier try may stand before the scan, or a pause has cut it. */
export const scannedInto = (value: string, scan: string): string =>
  value.length === NUMBER_DIGITS && value.endsWith(scan) ? value : scan;
