/**
 * Contract forms plus the rules that depend on the current time. All of them run even if other fields are invalid, so
 * one submit reports every problem.
 */
import * as z from 'zod/mini';
import { eventForm } from '#contract/forms/event-form.ts';
import { because, type FormProblem } from '#contract/forms/form-problem.ts';
import { onSaleOf } from '#contract/forms/on-sale.ts';
import { timezones } from '#contract/forms/timezones.ts';
import { instantOf } from '#domain/local-time.ts';
import { timeProblem } from './time-and-venue/schedule-preview.ts';

export const newEventForm = eventForm.check(
  always((form) => [...scheduleProblems(form, { mayStartInPast: false }), ...onSaleProblems(form)]),
);

/** A running event can still be edited. Its affiliate code was used at creation. */
export const editEventForm = z
  .omit(eventForm, { affiliateCode: true })
  .check(always((form) => [...scheduleProblems(form, { mayStartInPast: true }), ...onSaleProblems(form)]));

export type EventEdit = z.infer<typeof editEventForm>;

/** Reports a start in the past and an end before the start as separate messages. */
function scheduleProblems(form: Record<string, unknown>, rule: { mayStartInPast: boolean }): FormProblem[] {
  const timezone = timezones.find((zone) => zone === form.timezone);
  const [start, end] = [form.startDate_startTime, form.endDate_endTime];
  if (!timezone || typeof start !== 'string' || typeof end !== 'string') return [];
  const times = { timezone, start, end };
  const first = timeProblem(times, new Date(), rule);
  if (first?.reason !== 'start.in-past') return first ? [first] : [];
  const next = timeProblem(times, new Date(), { mayStartInPast: true });
  return next?.reason === 'end.before-start' ? [first, next] : [first];
}

/** Needs a valid end, because sales must start before it. */
function onSaleProblems(form: Record<string, unknown>): FormProblem[] {
  const timezone = timezones.find((zone) => zone === form['timezone']);
  const { endDate_endTime: end, salesStart, useWaitingRoom, buyersPerMinute } = form;
  const endsAt = timezone && typeof end === 'string' ? instantOf(end, timezone, 'later') : null;
  if (!timezone || !(endsAt instanceof Date)) return [];
  const fields = {
    timezone,
    salesStart: String(salesStart ?? ''),
    useWaitingRoom: useWaitingRoom === true,
    buyersPerMinute: String(buyersPerMinute ?? ''),
  };
  const onSale = onSaleOf(fields, { endsAt });
  return 'reason' in onSale ? [onSale] : [];
}

/** Runs even if fields are invalid, so `rule` must check the type of each field it reads. */
export function always(rule: (form: Record<string, unknown>) => FormProblem[]) {
  return z.check<object>(
    (form) => {
      for (const { reason, field } of rule({ ...form.value }))
        form.issues.push({ code: 'custom', input: form.value, path: [field], message: because(reason) });
    },
    { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null },
  );
}
