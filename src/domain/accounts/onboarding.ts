/** What an organizer completes before selling for money: the steps, the minimum age, the tax ID. */

export type OnboardingStep = 'verify-email' | 'account-information' | 'connect-payouts';

/** The remaining steps, in the order they are shown. */
export function openOnboardingSteps(organizer: {
  emailVerifiedAt: Date | null;
  organizationName: string | null;
  hasActivePayoutAccount: boolean;
}): OnboardingStep[] {
  const steps: OnboardingStep[] = [];
  if (!organizer.emailVerifiedAt) steps.push('verify-email');
  if (!organizer.organizationName) steps.push('account-information');
  if (!organizer.hasActivePayoutAccount) steps.push('connect-payouts');
  return steps;
}

export interface PricedType {
  priceCents: number;
  hasNamedPrice: boolean;
}

/** Its buyers pay for it, or may. */
export const isForMoney = ({ priceCents, hasNamedPrice }: PricedType): boolean => priceCents > 0 || hasNamedPrice;

/** Of organizers. */
export const MINIMUM_AGE = 18;
/** Earlier years are treated as typos. */
const EARLIEST_BIRTH_YEAR = 1900;

export type AgeDenial = 'no-such-date' | 'too-young';

export function denyAge(birthDate: string, today: Date): AgeDenial | null {
  const age = ageOn(birthDate, today);
  if (age === null) return 'no-such-date';
  const isProven = age >= MINIMUM_AGE && Number(birthDate.slice(0, 4)) >= EARLIEST_BIRTH_YEAR;
  return isProven ? null : 'too-young';
}

/**
 * Age in whole years on `today` (UTC), from calendar dates rather than milliseconds; negative for a birth date in the future, `null`
 * for a date that does not exist.
 */
function ageOn(birthDate: string, today: Date): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(birthDate);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];

  const born = new Date(Date.UTC(year, month - 1, day));
  // `Date` rolls a nonexistent day over into the next month.
  if (born.getUTCMonth() !== month - 1) return null;

  const years = today.getUTCFullYear() - year;
  const hadBirthday =
    today.getUTCMonth() > month - 1 || (today.getUTCMonth() === month - 1 && today.getUTCDate() >= day);
  return hadBirthday ? years : years - 1;
}

const ASCENDING = '0123456789';
const DESCENDING = '9876543210';

/** Recognizes placeholder tax IDs: digits counting up or down, or a single repeated digit. */
export function isSampleTaxId(digits: string): boolean {
  return ASCENDING.includes(digits) || DESCENDING.includes(digits) || /^(\d)\1*$/.test(digits);
}
