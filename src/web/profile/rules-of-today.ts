/**
 * The contract's forms together with the rules that depend on the moment. They are judged in one go, also when other
 * fields are wrong, so that a person learns every problem at once.
 */
import * as z from 'zod/mini';
import { accountInfoForm, ageProblem } from '#contract/accounts.ts';
import { eventForm } from '#contract/events.ts';
import { timezones } from '#contract/timezones.ts';
import { timeProblem } from './spoken-time.ts';

export const eventFormToday = eventForm.check(always((form) => scheduleProblem(form, { mayStartInPast: false })));

/** An event that has begun can still be edited, and its affiliate code was spent when it was created. */
export const eventEditFormToday = z
  .omit(eventForm, { affiliateCode: true })
  .check(always((form) => scheduleProblem(form, { mayStartInPast: true })));

export type EventEdit = z.infer<typeof eventEditFormToday>;

export const accountInfoFormToday = accountInfoForm.check(
  always(({ dateOfBirth }) => {
    const isDate = typeof dateOfBirth === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(dateOfBirth);
    const msg = isDate ? ageProblem(dateOfBirth, new Date()) : null;
    return msg && { msg, field: 'dateOfBirth' };
  }),
);

function scheduleProblem(form: Record<string, unknown>, rule: { mayStartInPast: boolean }) {
  const timezone = timezones.find((zone) => zone === form.timezone);
  const [start, end] = [form.startDate_startTime, form.endDate_endTime];
  if (!timezone || typeof start !== 'string' || typeof end !== 'string') return null;
  const msg = timeProblem({ timezone, start, end }, new Date(), rule);
  return msg && { msg, field: msg.startsWith('Start') ? 'startDate_startTime' : 'endDate_endTime' };
}

/** A rule that is asked even when a field is already wrong, so no field can be trusted to have its type. */
function always(rule: (form: Record<string, unknown>) => { msg: string; field: string } | null | '') {
  return z.check<object>(
    (form) => {
      const problem = rule({ ...form.value });
      if (problem) form.issues.push({ code: 'custom', input: form.value, path: [problem.field], message: problem.msg });
    },
    { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null },
  );
}
