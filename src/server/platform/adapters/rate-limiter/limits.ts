import type { RateLimit } from '#server/platform/ports/rate-limiter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The points of each limit and its window in seconds. Limits by IP address alone are generous, because a venue or an office
 * shares one address; limits for a single secret are strict.
 */
export const limits: Record<RateLimit, { points: number; seconds: number }> = {
  login: { points: 10, seconds: 15 * MINUTE },
  'login-address': { points: 300, seconds: HOUR },
  'login-account': { points: 100, seconds: HOUR },
  'login-account-day': { points: 100, seconds: DAY },
  'login-account-cap': { points: 300, seconds: DAY },
  'login-address-cap': { points: 2000, seconds: DAY },
  // A code is one of a million, and three of them work at a time: one chance in a hundred in three weeks without a pause.
  'factor-code': { points: 5, seconds: 5 * MINUTE },
  'passkey-login': { points: 300, seconds: HOUR },
  'attendant-code': { points: 10, seconds: 10 * MINUTE },
  'attendant-code-event': { points: 60, seconds: 10 * MINUTE },
  // Three a second, more than any person enters.
  'check-in-code': { points: 180, seconds: MINUTE },
  'find-ticket': { points: 120, seconds: HOUR },
  // There are ten thousand possible endings, and one code can be used on many devices.
  'find-ticket-event': { points: 600, seconds: HOUR },
  'find-guest': { points: 60, seconds: HOUR },
  'find-guest-event': { points: 600, seconds: HOUR },
  // Enough to sync all scans of the largest events in 15 minutes.
  'sync-scans': { points: 60, seconds: MINUTE },
  'emailed-link': { points: 60, seconds: 10 * MINUTE },
  register: { points: 300, seconds: HOUR },
  'resend-verification': { points: 10, seconds: HOUR },
  // Bounds the jobs. How many emails go out is decided per link and per recipient.
  'forgot-password': { points: 10, seconds: HOUR },
  'forgot-password-address': { points: 20, seconds: HOUR },
  'change-email': { points: 10, seconds: HOUR },
  invite: { points: 20, seconds: DAY },
  'resend-ticket': { points: 5, seconds: DAY },
  'resend-order': { points: 3, seconds: HOUR },
  'order-details': { points: 60, seconds: HOUR },
  // Each emails an address that anyone typed.
  'transfer-ticket': { points: 20, seconds: HOUR },
  'transfer-ticket-address': { points: 60, seconds: HOUR },
  'correct-email': { points: 60, seconds: HOUR },
  'tickets-pdf': { points: 5, seconds: MINUTE },
  // Each ticket of a large order, one after the other.
  'wallet-pass': { points: 60, seconds: MINUTE },
  // A pass on 20 phones that all ask for each of its 20 changes at once.
  'wallet-service': { points: 400, seconds: HOUR },
  // A network operator's phones share few addresses, and all ask when an event moves.
  'wallet-list': { points: 1200, seconds: MINUTE },
  'wallet-log': { points: 60, seconds: HOUR },
  'add-comps': { points: 100, seconds: HOUR },
  'import-guests': { points: 100, seconds: HOUR },
  'resend-ticket-event': { points: 100, seconds: HOUR },
  'save-account-info': { points: 60, seconds: HOUR },
  'create-event': { points: 100, seconds: HOUR },
  'preview-dates': { points: 1_000, seconds: HOUR },
  // Two a second, more than anyone's typing asks for.
  'preview-event': { points: 1_200, seconds: 10 * MINUTE },
  'cancel-event': { points: 60, seconds: MINUTE },
  'edit-series': { points: 60, seconds: MINUTE },
  'look-up-address': { points: 30, seconds: MINUTE },
  'look-up-address-day': { points: 500, seconds: DAY },
  'add-photos': { points: 60, seconds: HOUR },
  'request-payout': { points: 60, seconds: MINUTE },
  'payout-link': { points: 60, seconds: 10 * MINUTE },
  'payout-account': { points: 60, seconds: 10 * MINUTE },
  'promo-code': { points: 20, seconds: HOUR },
  'promo-code-event': { points: 600, seconds: HOUR },
  'order-code': { points: 120, seconds: HOUR },
  'refund-code': { points: 10, seconds: HOUR },
  'refund-code-event': { points: 200, seconds: HOUR },
  'report-event': { points: 5, seconds: HOUR },
  'report-event-event': { points: 100, seconds: HOUR },
  'edit-page': { points: 60, seconds: HOUR },
  // Each address that it leaves stays closed to others for a year.
  'change-slug': { points: 5, seconds: DAY },
  contact: { points: 3, seconds: HOUR },
  'contact-sender': { points: 3, seconds: HOUR },
  'contact-event': { points: 20, seconds: DAY },
  'contact-order': { points: 3, seconds: HOUR },
  'my-tickets': { points: 3, seconds: HOUR },
  'my-tickets-address': { points: 300, seconds: HOUR },
  'records-link': { points: 10, seconds: HOUR },
  'records-link-address': { points: 20, seconds: HOUR },
  'export-records': { points: 10, seconds: HOUR },
  'export-guests': { points: 60, seconds: HOUR },
  'export-journal': { points: 60, seconds: HOUR },
  'export-files': { points: 120, seconds: HOUR },
  'webhook-by-hand': { points: 60, seconds: 10 * MINUTE },
  // The record of each is kept forever.
  'delete-organization': { points: 20, seconds: DAY },
  checkout: { points: 300, seconds: 10 * MINUTE },
  'waiting-room': { points: 300, seconds: 10 * MINUTE },
  'api-key': { points: 60, seconds: 10 * MINUTE },
  // 20 a second, and three seconds' worth at once.
  'api-request': { points: 60, seconds: 3 },
};

/** Consumed by thousands at once during a sale, where slightly exceeding the limit is harmless. */
export const deferredLimits: ReadonlySet<RateLimit> = new Set<RateLimit>(['checkout', 'waiting-room', 'api-request']);

/** Counted for a whole account or event. Strangers can exhaust them, so the wait they cause is short. */
export const sharedLimits: ReadonlySet<RateLimit> = new Set<RateLimit>([
  'login-account',
  'attendant-code-event',
  'promo-code-event',
  'refund-code-event',
]);
