/** Brakes on payouts. They change when money moves, never how much. */

export interface PayoutBrakes {
  /** How much later than requested the first payout of an organization is sent. */
  firstDelayDays: number;
  /** The most that it transfers; null: all of it. The rest follows. */
  firstCapCents: number | null;
  /** The share of each event's payout that is kept, and for how long. */
  reservePercent: number;
  reserveDays: number;
}

export const RESERVE_PERCENT_MAX = 90;
export const RESERVE_DAYS_MAX = 365;

export type HeldKind = 'reserve' | 'rest';

/** A part of a payout that is sent later. */
export interface HeldPart {
  kind: HeldKind;
  cents: number;
  dueAt: Date;
}

/** The rest of a capped payout follows the first part after this long. */
const REST_AFTER_DAYS = 14;

const DAY = 24 * 60 * 60 * 1000;

const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * DAY);

interface Claim {
  /** The organization has had no payout before. */
  isFirst: boolean;
  brakes: PayoutBrakes;
  requestedAt: Date;
}

/** Null: at once. */
export function sendsAfter({ isFirst, brakes, requestedAt }: Claim): Date | null {
  return isFirst && brakes.firstDelayDays > 0 ? daysAfter(requestedAt, brakes.firstDelayDays) : null;
}

export function heldParts(netCents: number, claim: Claim): HeldPart[] {
  const { isFirst, brakes, requestedAt } = claim;
  const { firstCapCents, reservePercent, reserveDays } = brakes;
  const sentAt = sendsAfter(claim) ?? requestedAt;
  // Rounded down, in the organizer's favor.
  const reserveCents = Math.floor((Math.max(0, netCents) * reservePercent) / 100);
  const restCents = isFirst && firstCapCents !== null ? Math.max(0, netCents - reserveCents - firstCapCents) : 0;
  const parts: HeldPart[] = [
    { kind: 'reserve', cents: reserveCents, dueAt: daysAfter(sentAt, reserveDays) },
    { kind: 'rest', cents: restCents, dueAt: daysAfter(sentAt, REST_AFTER_DAYS) },
  ];
  return parts.filter(({ cents }) => cents > 0);
}
