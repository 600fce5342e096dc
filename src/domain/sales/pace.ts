/** How many tickets an event will have sold at its start if they go on selling as in the last week. */

const DAY_MS = 24 * 60 * 60_000;
/** Today and the six days before it. */
export const PACE_DAYS = 7;
/** Fewer sales, or a shorter time, say nothing yet. */
const SALES_MIN = 5;
const SELLING_MIN_MS = 2 * DAY_MS;

export interface SalesSoFar {
  sold: number;
  /** Those that can be sold in all. */
  offered: number;
  firstSaleAt: Date | null;
  /** Sold since the first moment of the `PACE_DAYS` that end with today. */
  recent: { since: Date; sold: number };
  startsAt: Date;
}

/** Never more than are offered. Null where there is nothing to expect: too early, sold out, or begun. */
export function paceOf({ sold, offered, firstSaleAt, recent, startsAt }: SalesSoFar, now: Date): number | null {
  if (sold < SALES_MIN || sold >= offered || now >= startsAt) return null;
  if (!firstSaleAt || now.getTime() - firstSaleAt.getTime() < SELLING_MIN_MS) return null;
  const elapsedMs = now.getTime() - Math.max(recent.since.getTime(), firstSaleAt.getTime());
  const leftMs = startsAt.getTime() - now.getTime();
  const toCome = Math.max(0, recent.sold) * (leftMs / elapsedMs);
  return Math.min(offered, sold + Math.round(toCome));
}
