/** The event form and its validation. */
import * as z from 'zod/mini';
import { denySchedule, EVENT_DAYS_MAX, type ScheduleDenial } from '#domain/event-schedule.ts';
import { CITY_MAX, DESCRIPTION_MAX, PARTICIPANTS_MAX, POSTAL_CODE_MAX, STREET_MAX, TITLE_MAX } from '#domain/limits.ts';
import { instantOf, type TimeDenial } from '#domain/local-time.ts';
import { ticketRows } from './ticket-types.ts';
import { timezones } from './timezones.ts';
import { oneLine, someLines } from './typed-text.ts';
import { usStates } from './us-states.ts';

const required = (label: string, max: number, clean = oneLine()) =>
  z
    .string()
    .check(
      clean,
      z.minLength(1, `${label} is required`),
      z.maxLength(max, `${label} must be ${max} characters or less`),
    );

const LETTERS_DIGITS_SPACES = /^[\p{L}\p{N} ]*$/u;

export const eventForm = z.object({
  title: required('Title', TITLE_MAX),
  description: required('Description', DESCRIPTION_MAX, someLines()),
  street: required('Street', STREET_MAX),
  city: required('City', CITY_MAX),
  state: z.enum(usStates, 'State is required'),
  postalCode: required('Postal code', POSTAL_CODE_MAX).check(
    z.regex(LETTERS_DIGITS_SPACES, 'Postal code cannot contain symbols'),
  ),
  timezone: z.enum(timezones, 'Time zone is required'),
  startDate_startTime: z.string().check(z.minLength(1, 'Start date/time is required')),
  endDate_endTime: z.string().check(z.minLength(1, 'End date/time is required')),
  participants: z.pipe(
    z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
    required('Participants', PARTICIPANTS_MAX).check(
      z.regex(LETTERS_DIGITS_SPACES, 'Participants field cannot contain symbols'),
    ),
  ),
  tickets: ticketRows,
  latitude: coordinate('Latitude', 90),
  longitude: coordinate('Longitude', 180),
  /** Start of sales; empty for immediately. An edit keeps the fields of this group that it omits. */
  salesStart: z.optional(z.string()),
  useWaitingRoom: z.optional(z.boolean()),
  buyersPerMinute: z.optional(z.union([z.string(), z.number()])),
  affiliateCode: z.optional(
    z.string().check(z.trim(), z.maxLength(40, 'Affiliate code must be 40 characters or less')),
  ),
});

export type EventForm = z.infer<typeof eventForm>;

const START = 'startDate_startTime';
const END = 'endDate_endTime';

const scheduleMessages: Record<ScheduleDenial, string> = {
  'start-in-past': 'Start date/time must be in the future',
  'end-before-start': 'End date/time cannot be before start date/time',
  'too-long': `An event can last at most ${EVENT_DAYS_MAX} days`,
};

export type Schedule = { startsAt: Date; endsAt: Date };

/** Why a form's fields do not stand, at the field to correct. */
export interface FieldProblem {
  field: string;
  msg: string;
}

export interface ScheduleProblem extends FieldProblem {
  code: ScheduleDenial | 'not-a-time';
}

/**
 * Parses the form's times, or returns the first problem. Not part of the schema, because the result
 * depends on the current time.
 */
export function scheduleOf(
  form: Pick<EventForm, 'timezone' | 'startDate_startTime' | 'endDate_endTime'>,
  now: Date,
  rule: { mayStartInPast: boolean },
): Schedule | ScheduleProblem {
  const startsAt = instantOf(form.startDate_startTime, form.timezone, 'earlier');
  if (!(startsAt instanceof Date)) return { field: START, code: 'not-a-time', msg: unreadableTime('Start', startsAt) };
  const endsAt = instantOf(form.endDate_endTime, form.timezone, 'later');
  if (!(endsAt instanceof Date)) return { field: END, code: 'not-a-time', msg: unreadableTime('End', endsAt) };

  const denial = denySchedule({ startsAt, endsAt }, now, rule);
  if (!denial) return { startsAt, endsAt };
  return { field: denial === 'start-in-past' ? START : END, code: denial, msg: scheduleMessages[denial] };
}

export const unreadableTime = (label: 'Start' | 'End' | 'Sales start', reason: TimeDenial) =>
  reason === 'skipped-hour'
    ? `${label} date/time does not exist: the clocks go forward then`
    : `${label} date/time must be a date and a time`;

/** Stricter than `Number`, which also accepts an empty string and `0x10`. */
const DEGREES = /^-?\d{1,3}(?:\.\d{1,30})?$/;

function coordinate(label: string, limit: number) {
  const message = `${label} must be a number between -${limit} and ${limit}`;
  const inRange = z.number(message).check(z.gte(-limit, message), z.lte(limit, message));
  return z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], message),
      z.transform((value) => (typeof value === 'number' || DEGREES.test(value.trim()) ? Number(value) : Number.NaN)),
    ),
    inRange,
  );
}
