/** Dates in US English, in the event's time zone, and addresses. Money is formatted by messages/format. */

/** `Friday, June 12, 2026 at 8:00 PM EDT` */
export function formatMoment(instant: Date | string, timeZone: string): string {
  return `${formatDay(instant, timeZone)} at ${formatTime(instant, timeZone)}`;
}

/** `Friday, June 12, 2026` */
function formatDay(instant: Date | string, timeZone: string): string {
  return written(instant, { timeZone, weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
}

/** `Jun 12` */
export function formatDate(instant: Date | string, timeZone: string): string {
  return written(instant, { timeZone, month: 'short', day: 'numeric' });
}

/** `8:00 PM EDT` */
export function formatTime(instant: Date | string, timeZone: string): string {
  return written(instant, { timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
}

/** `8:00 PM` in this device's time zone. */
export function clockTime(instant: Date | string | number, timeZone: string | undefined): string {
  return written(instant, { timeZone, hour: 'numeric', minute: '2-digit' });
}

/** `Fri, Jun 12, 2026, 8:00 PM EDT`, for narrow layouts. */
export function formatShort(instant: Date | string, timeZone: string): string {
  return written(instant, {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}

/** In US English, with the parts that the options name. */
export function written(instant: Date | string | number, options: Intl.DateTimeFormatOptions): string {
  // Newer engines put a narrow no-break space before AM/PM; tests, emails and copied text need a plain one.
  return new Intl.DateTimeFormat('en-US', options).format(new Date(instant)).replaceAll('\u202f', ' ');
}
