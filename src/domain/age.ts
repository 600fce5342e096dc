/** How old an organizer is. Ages are counted in calendar dates, never in milliseconds. */

export const MINIMUM_AGE = 18;

/** Whole years from a `YYYY-MM-DD` birth date to `today` (UTC); `null` for a date that does not exist or lies ahead. */
export function ageOn(birthDate: string, today: Date): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(birthDate);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];

  const born = new Date(Date.UTC(year, month - 1, day));
  const exists = born.getUTCMonth() === month - 1 && born.getUTCDate() === day;
  if (!exists || year < 1900 || born > today) return null;

  const years = today.getUTCFullYear() - year;
  const hadBirthday =
    today.getUTCMonth() > month - 1 || (today.getUTCMonth() === month - 1 && today.getUTCDate() >= day);
  return hadBirthday ? years : years - 1;
}
