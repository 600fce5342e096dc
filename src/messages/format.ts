/** Counts, amounts, positions and dates in texts, in the format and by the plural rules of the language. */
const numbers = new Intl.NumberFormat('en-US');
const rules = new Intl.PluralRules('en-US');

/** A text per plural category of the language. The first `#` stands for the count, so names come after it. */
export interface PluralForms {
  one: string;
  other: string;
}

/** `1,420 tickets`, `1 ticket` */
export function plural(count: number, { one, other }: PluralForms): string {
  return (rules.select(count) === 'one' ? one : other).replace('#', formatCount(count));
}

/** `1,420` */
export const formatCount = (count: number): string => numbers.format(count);

export const TICKETS: PluralForms = { one: '# ticket', other: '# tickets' };
export const PAID_TICKETS: PluralForms = { one: '# paid ticket', other: '# paid tickets' };
export const BUYERS: PluralForms = { one: '# buyer', other: '# buyers' };
export const DATES: PluralForms = { one: '# date', other: '# dates' };
export const DAYS: PluralForms = { one: '# day', other: '# days' };

/** Formats dollars from the wire. Rounded first, because a sum of floats is inexact. */
export const formatDollars = (dollars: number): string => formatCents(Math.round(dollars * 100));

/** For example `$1,250.00`. */
export function formatCents(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

/** What was paid for one ticket, and with which promo code. */
export function pricePaid({ priceCents, promoCode }: { priceCents: number; promoCode: string | null }): string {
  const price = priceCents === 0 ? 'Free' : formatCents(priceCents);
  return promoCode === null ? price : `${price} with ${promoCode}`;
}

/** The first of several names; the whole name where that would be a title or an initial. */
export function firstName(name: string): string {
  const [first = ''] = name.split(' ');
  return Array.from(first).length < 2 || first.endsWith('.') ? name : first;
}

interface Venue {
  street: string;
  city: string;
  state: string;
  postalCode: string;
  venueName?: string | null | undefined;
}

/** `178 Bleecker St, New York, NY 10012`, as maps know it. */
export const streetAddress = ({ street, city, state, postalCode }: Venue): string =>
  `${street}, ${city}, ${state} ${postalCode}`;

/** `The Village Room, 178 Bleecker St, New York, NY 10012` */
export const addressLine = (venue: Venue): string =>
  (venue.venueName ? `${venue.venueName}, ` : '') + streetAddress(venue);

/** `The Village Room, New York, NY`, where there is room for one line. */
export const placeLine = ({ venueName, street, city, state }: Omit<Venue, 'postalCode'>): string =>
  `${venueName ?? street}, ${city}, ${state}`;

/** A map of the address, on which the reader finds the way. */
export const directionsTo = (address: string): string =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;

/** Shared by the confirmation page, emails and the full-screen ticket. An add-on lets no one in. */
export function ticketPosition({
  position,
  of,
  isAddOn,
}: {
  position: number;
  of: number;
  isAddOn?: boolean | undefined;
}): string {
  return isAddOn ? `Add-on, ${position} of ${of}: pick it up at the door` : `Ticket ${position} of ${of}`;
}

/** `Friday, June 12 at 8:00 PM EDT`, for a time that is near. */
export function dayAndTime(at: Date | number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
  return text.replace(/\u202f/g, ' ');
}

/** `Friday, June 12, 2026 at 8:00 PM EDT`, in the event's time zone rather than the reader's. */
export function longDate(at: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
  // Some email clients render the narrow no-break space before PM as a box.
  return text.replace(/\u202f/g, ' ');
}

/** `June 12, 2026`, of a day so far away that its weekday says little. */
export const calendarDate = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long' }).format(at);

interface EventTime {
  startsAt: Date;
  endsAt: Date;
  timezone: string;
  /** The year is left out if it is obvious then. */
  readAt: Date | null;
}

const MORNING_HOUR = 6;
const DAY_MS = 24 * 60 * 60_000;
const OBVIOUS_DAYS = 300;

/** `Fri, Jun 12, 2026 · 8 – 11:30 PM EDT`. A night that ends by morning names no second day. */
export function eventTime({ startsAt, endsAt, timezone, readAt }: EventTime): string {
  const days = readAt ? (startsAt.getTime() - readAt.getTime()) / DAY_MS : -1;
  const year = days >= 0 && days < OBVIOUS_DAYS ? {} : ({ year: 'numeric' } as const);
  const day = (at: Date) => partOf(at, timezone, { weekday: 'short', month: 'short', day: 'numeric', ...year });
  const zone = (at: Date) => partOf(at, timezone, { timeZoneName: 'short' }).replace(/^.* /, '');
  const [startDay, endDay, endTime] = [day(startsAt), day(endsAt), clockTime(endsAt, timezone)];
  const startTime = clockTime(startsAt, timezone);
  const start = zone(startsAt) === zone(endsAt) ? startTime : `${startTime} ${zone(startsAt)}`;
  const end = `${endTime} ${zone(endsAt)}`;
  const hours = (endsAt.getTime() - startsAt.getTime()) / 3_600_000;
  const isNight = hours < 24 && Number(partOf(endsAt, timezone, { hour: 'numeric', hourCycle: 'h23' })) < MORNING_HOUR;
  if (startDay !== endDay && !isNight) return `${startDay}, ${start} – ${endDay}, ${end}`;
  const half = startDay === endDay ? endTime.slice(-3) : '';
  return `${startDay} · ${half && start.endsWith(half) ? start.slice(0, -half.length) : start} – ${end}`;
}

/** `8 PM`, `11:30 PM` */
export const clockTime = (at: Date, timezone: string): string =>
  partOf(at, timezone, { hour: 'numeric', minute: '2-digit' }).replace(':00', '');

const partOf = (at: Date, timeZone: string, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, ...parts }).format(at).replace(/\u202f/g, ' ');

/** `7:42 PM EDT`, in the event's time zone. Rounded up: never before the moment. */
export function timeFrom(at: Date, timeZone: string): string {
  const minute = Math.ceil(at.getTime() / 60_000) * 60_000;
  const parts = { timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat('en-US', parts).format(minute).replace(/\u202f/g, ' ');
}

/** "8.875%". @param rate thousandths of a percent */
export const formatRate = (rate: number): string => `${rate / 1000}%`;
