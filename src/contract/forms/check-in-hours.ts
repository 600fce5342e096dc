/** Parses the check-in hours from the event form. */
import { denyHours, type HoursDenial, moveHours, type SetHours } from '#domain/check-in-hours.ts';
import { instantOf } from '#domain/local-time.ts';
import type { EventForm, Schedule } from './event-form.ts';
import type { FormProblem, FormReason } from './form-problem.ts';

type HoursFields = Pick<EventForm, 'timezone' | 'checkInOpens' | 'checkInCloses'>;

const denied = {
  'opens-too-early': { field: 'checkInOpens', reason: 'check-in.opens-too-early' },
  'opens-after-closing': { field: 'checkInOpens', reason: 'check-in.opens-after-closing' },
  'closes-out-of-range': { field: 'checkInCloses', reason: 'check-in.closes-range' },
} as const satisfies Record<HoursDenial, FormProblem>;

/** Of an event without hours, or of the one that is edited. */
export interface StoredHours extends SetHours, Schedule {}

/**
 * The event's hours, or the first problem. Empty: none. A field that is omitted keeps what is stored, at its distance to start or end.
 */
export function checkInHoursOf(form: HoursFields, schedule: Schedule, stored?: StoredHours): SetHours | FormProblem {
  const kept = stored ? moveHours(stored, stored, schedule) : { checkInOpensAt: null, checkInClosesAt: null };
  const opens = timeOf(form.checkInOpens, form.timezone, 'earlier', kept.checkInOpensAt);
  if (typeof opens === 'string') return problem('checkInOpens', `check-in-opens.${opens}`);
  const closes = timeOf(form.checkInCloses, form.timezone, 'later', kept.checkInClosesAt);
  if (typeof closes === 'string') return problem('checkInCloses', `check-in-closes.${closes}`);

  const hours = { checkInOpensAt: opens, checkInClosesAt: closes };
  const denial = denyHours({ ...schedule, ...hours });
  return denial ? denied[denial] : hours;
}

function timeOf(
  typed: string | undefined,
  timezone: HoursFields['timezone'],
  doubled: 'earlier' | 'later',
  kept: Date | null,
) {
  if (typed === undefined) return kept;
  return typed === '' ? null : instantOf(typed, timezone, doubled);
}

const problem = (field: string, reason: FormReason): FormProblem => ({ field, reason });
