/** Minimum age of organizers. Ages are computed from calendar dates, not milliseconds. */

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

/** Age in whole years on `today` (UTC); negative for a birth date in the future, `null` for a date that does not exist. */
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
