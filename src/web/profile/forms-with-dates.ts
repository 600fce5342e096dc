/**
 * The contract's forms together with the rules that depend on the moment. They are judged in one go, also when other
 * fields are wrong, so that a person learns every problem at once.
 */
import * as z from 'zod/mini';
import { accountInfoForm, identityProblems, type OrganizationType } from '#contract/accounts.ts';
import { eventForm } from '#contract/event-form.ts';
import { onSaleOf } from '#contract/on-sale.ts';
import { timezones } from '#contract/timezones.ts';
import { instantOf } from '#domain/local-time.ts';
import { timeProblem } from './time-and-venue/schedule-preview.ts';

export const eventFormToday = eventForm.check(
  always((form) => [...scheduleProblems(form, { mayStartInPast: false }), ...onSaleProblems(form)]),
);

/** An event that has begun can still be edited, and its affiliate code was spent when it was created. */
export const eventEditFormToday = z
  .omit(eventForm, { affiliateCode: true })
  .check(always((form) => [...scheduleProblems(form, { mayStartInPast: true }), ...onSaleProblems(form)]));

export type EventEdit = z.infer<typeof eventEditFormToday>;

/** `onFile`: the type of the tax id that the account has. */
export const accountInfoFormToday = (onFile: OrganizationType | null) =>
  accountInfoForm.check(always((form) => identityProblems(form, onFile, new Date())));

interface FieldProblem {
  msg: string;
  field: string;
}

/** A start in the past does not hide an end before it: each is a sentence of its own. */
function scheduleProblems(form: Record<string, unknown>, rule: { mayStartInPast: boolean }): FieldProblem[] {
  const timezone = timezones.find((zone) => zone === form.timezone);
  const [start, end] = [form.startDate_startTime, form.endDate_endTime];
  if (!timezone || typeof start !== 'string' || typeof end !== 'string') return [];
  const times = { timezone, start, end };
  const first = timeProblem(times, new Date(), rule);
  const next = first?.startsWith('Start') ? timeProblem(times, new Date(), { mayStartInPast: true }) : null;
  return [first, next?.startsWith('End') ? next : null]
    .filter((msg) => msg !== null)
    .map((msg) => ({ msg, field: msg.startsWith('Start') ? 'startDate_startTime' : 'endDate_endTime' }));
}

/** Told once the end is a time, since the sale has to start before it. */
function onSaleProblems(form: Record<string, unknown>): FieldProblem[] {
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
  const msg = onSaleOf(fields, { endsAt });
  if (typeof msg !== 'string') return [];
  return [{ msg, field: msg.startsWith('Buyers') ? 'buyersPerMinute' : 'salesStart' }];
}

/** A rule that is asked even when a field is already wrong, so no field can be trusted to have its type. */
function always(rule: (form: Record<string, unknown>) => FieldProblem[]) {
  return z.check<object>(
    (form) => {
      for (const { msg, field } of rule({ ...form.value }))
        form.issues.push({ code: 'custom', input: form.value, path: [field], message: msg });
    },
    { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null },
  );
}
