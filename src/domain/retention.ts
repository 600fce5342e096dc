/** Retention of personal data. The privacy page and the purge both use these values, so they cannot diverge. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days until the purge deletes the data. */
export const retentionDays = {
  unverifiedAccount: 30,
  /** Its payment link and address, and the proof of a free order's address. */
  unpaidOrder: 1,
  /** The whole order. Longer than any payment method takes, so that a late payment finds it. */
  expiredOrder: 30,
  /** After its event's refunds have closed. */
  cardHash: 60,
  webhookEvent: 30,
  emailAddress: 90,
  emailCopy: 30,
  /** As long as the longest limit per recipient. */
  emailRecipient: 1,
  failedRequest: 30,
  checkInDevice: 30,
  /** The key under which audit events of one year hash networks. */
  networkKey: 400,
  /** Which webhook was sent when. What it said is stored nowhere. */
  webhookDelivery: 30,
  abuseReport: 400,
  /** After the event's end. Answers have a time of their own: see `Question`. */
  guestName: 365,
  /** As long as an answer about access needs, which it may repeat. */
  doorNote: 7,
  /** After the event's end: which passes were handed out, and which phones have them. */
  walletPass: 30,
};

/** Drafts that were unchanged for so long are deleted, after an email to their owners. Published events stay. */
export const DRAFT_YEARS = 2;
export const DRAFT_WARNING_DAYS = 30;
/** Unchanged for so long, its owners are emailed. */
export const DRAFT_WARNED_AFTER_DAYS = DRAFT_YEARS * 365 - DRAFT_WARNING_DAYS;

/** What a draft is due for, or null. A change after the warning starts over. */
export function draftDue({ changedAt, warnedAt, now }: { changedAt: Date; warnedAt: Date | null; now: Date }) {
  const daysSince = (at: Date) => (now.getTime() - at.getTime()) / DAY_MS;
  const isWarned = warnedAt !== null && warnedAt > changedAt;
  if (isWarned) return daysSince(warnedAt) >= DRAFT_WARNING_DAYS ? 'deletion' : null;
  return daysSince(changedAt) >= DRAFT_WARNED_AFTER_DAYS ? 'warning' : null;
}

/** Lifetime of a link to a buyer's data. */
export const RECORDS_LINK_MINUTES = 60;
/** After its last login. */
export const KNOWN_BROWSER_DAYS = 180;
export const SESSION_HOURS = 12;
