/** The event form and its validation. */
import * as z from 'zod/mini';
import { denySchedule, type ScheduleDenial } from '#domain/event-schedule.ts';
import {
  CITY_MAX,
  DESCRIPTION_MAX,
  PARTICIPANTS_MAX,
  POSTAL_CODE_MAX,
  STREET_MAX,
  SUBTITLE_MAX,
  TITLE_MAX,
  VENUE_NAME_MAX,
} from '#domain/limits.ts';
import { instantOf } from '#domain/local-time.ts';
import { because, type FormProblem, type FormReason } from './form-problem.ts';
import { orderMax, ticketRows } from './ticket-types.ts';
import { timezones } from './timezones.ts';
import { oneLine, someLines } from './typed-text.ts';
import { usStates } from './us-states.ts';

type TextField = 'title' | 'description' | 'street' | 'city' | 'postal-code' | 'participants';

const required = (field: TextField, max: number, clean = oneLine()) =>
  z.string().check(clean, z.minLength(1, because(`${field}.missing`)), z.maxLength(max, because(`${field}.too-long`)));

export const affiliateCode = z.optional(
  z.string().check(z.trim(), z.maxLength(40, because('affiliate-code.too-long'))),
);

const LETTERS_DIGITS_SPACES = /^[\p{L}\p{N} ]*$/u;

export const eventForm = z.object({
  title: required('title', TITLE_MAX),
  description: required('description', DESCRIPTION_MAX, someLines()),
  street: required('street', STREET_MAX),
  city: required('city', CITY_MAX),
  state: z.enum(usStates, because('state.missing')),
  postalCode: required('postal-code', POSTAL_CODE_MAX).check(
    z.regex(LETTERS_DIGITS_SPACES, because('postal-code.symbols')),
  ),
  timezone: z.enum(timezones, because('timezone.missing')),
  startDate_startTime: z.string().check(z.minLength(1, because('start.missing'))),
  endDate_endTime: z.string().check(z.minLength(1, because('end.missing'))),
  participants: z.pipe(
    z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
    required('participants', PARTICIPANTS_MAX).check(z.regex(LETTERS_DIGITS_SPACES, because('participants.symbols'))),
  ),
  tickets: ticketRows,
  maxPerOrder: orderMax,
  latitude: coordinate('latitude', 90),
  longitude: coordinate('longitude', 180),
  /** Start of sales; empty for immediately. An edit keeps the fields of this group that it omits. */
  salesStart: z.optional(z.string()),
  useWaitingRoom: z.optional(z.boolean()),
  buyersPerMinute: z.optional(z.union([z.string(), z.number()])),
  /** Check-in hours; both empty for any time. An edit keeps those that it omits. */
  checkInOpens: z.optional(z.string()),
  checkInCloses: z.optional(z.string()),
  /** Empty for none. An edit keeps it, and those below, if omitted. */
  venueName: z.optional(z.string().check(oneLine(), z.maxLength(VENUE_NAME_MAX, because('venue-name.too-long')))),
  /** Tells a date from the others of its series. */
  subtitle: z.optional(z.string().check(oneLine(), z.maxLength(SUBTITLE_MAX, because('subtitle.too-long')))),
  /** On the organization's page and in search results. */
  isListed: z.optional(z.boolean()),
  affiliateCode,
});

export type EventForm = z.infer<typeof eventForm>;

const START = 'startDate_startTime';
const END = 'endDate_endTime';

const scheduleReasons = {
  'start-in-past': 'start.in-past',
  'end-before-start': 'end.before-start',
  'too-long': 'end.too-long',
} as const satisfies Record<ScheduleDenial, FormReason>;

export type Schedule = { startsAt: Date; endsAt: Date };

/**
 * Parses the form's times, or returns the first problem. Not part of the schema, because the result
 * depends on the current time.
 */
export function scheduleOf(
  form: Pick<EventForm, 'timezone' | 'startDate_startTime' | 'endDate_endTime'>,
  now: Date,
  rule: { mayStartInPast: boolean },
): Schedule | FormProblem {
  const startsAt = instantOf(form.startDate_startTime, form.timezone, 'earlier');
  if (!(startsAt instanceof Date)) return { field: START, reason: `start.${startsAt}` };
  const endsAt = instantOf(form.endDate_endTime, form.timezone, 'later');
  if (!(endsAt instanceof Date)) return { field: END, reason: `end.${endsAt}` };

  const denial = denySchedule({ startsAt, endsAt }, now, rule);
  if (!denial) return { startsAt, endsAt };
  return { field: denial === 'start-in-past' ? START : END, reason: scheduleReasons[denial] };
}

/** Stricter than `Number`, which also accepts an empty string and `0x10`. */
const DEGREES = /^-?\d{1,3}(?:\.\d{1,30})?$/;

function coordinate(field: 'latitude' | 'longitude', limit: number) {
  const message = because(`${field}.invalid`);
  const inRange = z.number(message).check(z.gte(-limit, message), z.lte(limit, message));
  return z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], message),
      z.transform((value) => (typeof value === 'number' || DEGREES.test(value.trim()) ? Number(value) : Number.NaN)),
    ),
    inRange,
  );
}
