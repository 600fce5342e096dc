import type { Budget } from '#server/ports/tries.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * How much, in how many seconds. A venue or an office shares one address, so what is counted by address
 * alone is generous; a single secret is not.
 */
export const budgets: Record<Budget, { points: number; seconds: number }> = {
  login: { points: 10, seconds: 15 * MINUTE },
  'login-address': { points: 300, seconds: HOUR },
  'attendant-code': { points: 10, seconds: 10 * MINUTE },
  'attendant-code-event': { points: 60, seconds: 10 * MINUTE },
  'mailed-link': { points: 60, seconds: 10 * MINUTE },
  register: { points: 300, seconds: HOUR },
  'resend-verification': { points: 10, seconds: HOUR },
  'forgot-password': { points: 3, seconds: HOUR },
  'forgot-password-address': { points: 20, seconds: HOUR },
  'change-email': { points: 10, seconds: HOUR },
  'resend-ticket': { points: 5, seconds: 24 * HOUR },
  'refund-code': { points: 10, seconds: HOUR },
  'refund-code-event': { points: 200, seconds: HOUR },
  checkout: { points: 300, seconds: 10 * MINUTE },
  'waiting-room': { points: 300, seconds: 10 * MINUTE },
};

/** In a rush thousands spend from these at once, and a few tries too many do no harm. */
export const countedAfterwards: ReadonlySet<Budget> = new Set<Budget>(['checkout', 'waiting-room']);
