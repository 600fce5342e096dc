/** How old an organizer is. Ages are counted in calendar dates, never in milliseconds. */

export const MINIMUM_AGE = 18;
/** An earlier year is a slip of the keyboard, which proves no age. */
const EARLIEST_BIRTH_YEAR = 1900;

export type AgeDenial = 'no-such-date' | 'too-young';

export function denyAge(birthDate: string, today: Date): AgeDenial | null {
  const age = ageOn(birthDate, today);
  if (age === null) return 'no-such-date';
  const isProven = age >= MINIMUM_AGE && Number(birthDate.slice(0, 4)) >= EARLIEST_BIRTH_YEAR;
  return isProven ? null : 'too-young';
}

/** Whole years from a `YYYY-MM-DD` birth date to `today` (UTC), negative ahead of it; `null` for a date that does not exist. */
function ageOn(birthDate: string, today: Date): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(birthDate);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];

  const born = new Date(Date.UTC(year, month - 1, day));
  // A day that does not exist rolls over into another month.
  if (born.getUTCMonth() !== month - 1) return null;

  const years = today.getUTCFullYear() - year;
  const hadBirthday =
    today.getUTCMonth() > month - 1 || (today.getUTCMonth() === month - 1 && today.getUTCDate() >= day);
  return hadBirthday ? years : years - 1;
}
