/** The form of an order's details: what its fields are called, and what they say. */
import * as z from 'zod/mini';
import type { AskedDetails } from '#contract/app/sales/checkout-page.ts';
import { because } from '#contract/forms/form-problem.ts';
import { detailsProblems, type GuestDetails, guestDetails } from '#contract/forms/guest-details.ts';
import type { Answer, AskedQuestion } from '#domain/sales/guest-form.ts';

/** `order` or `tickets.0`, and the question. */
export const answerField = (at: string, { id }: Pick<AskedQuestion, 'id'>): string => `${at}.answers.${id}`;

const typed = z.object({
  order: z.optional(z.object({ answers: z.record(z.string(), z.unknown()) })),
  tickets: z.optional(
    z.array(z.object({ name: z.optional(z.string()), answers: z.optional(z.record(z.string(), z.unknown())) })),
  ),
});

export const detailsFormFor = (asked: AskedDetails) =>
  z.pipe(
    z.pipe(
      typed,
      z.transform(
        ({ order, tickets = [] }): GuestDetails => ({
          order: { answers: answersFrom(order?.answers, asked.order) },
          tickets: asked.tickets.map(({ questions }, index) => ({
            name: tickets[index]?.name ?? '',
            answers: answersFrom(tickets[index]?.answers, questions),
          })),
        }),
      ),
    ),
    guestDetails.check(({ value, issues }) => {
      for (const { field, reason, expected } of detailsProblems(asked, value))
        issues.push({
          code: 'custom',
          input: value,
          path: field.split('.'),
          message: because(reason),
          params: { expected },
        });
    }),
  );

/** The checkboxes of `any-of` are booleans, in the order of its options. */
function answersFrom(given: Record<string, unknown> = {}, questions: readonly AskedQuestion[]) {
  return Object.fromEntries(
    questions.map(({ id, kind, options }): [string, Answer & (string | string[])] => {
      const value = given[id];
      if (kind !== 'any-of') return [id, typeof value === 'string' ? value : ''];
      return [id, options.filter((_, index) => Array.isArray(value) && value[index] === true)];
    }),
  );
}

/** Fills the blank fields of the other tickets with what the first one says. */
export function copyToAll(form: HTMLFormElement): void {
  for (const from of form.querySelectorAll<Control>('[name^="tickets.0."]')) {
    const rest = from.name.slice('tickets.0.'.length);
    for (const to of form.querySelectorAll<Control>('[name^="tickets."]'))
      if (to !== from && /^tickets\.\d+\.(.*)$/.exec(to.name)?.[1] === rest) fill(to, from);
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function fill(to: Control, from: Control): void {
  if (isCheckbox(to) && isCheckbox(from)) to.checked ||= from.checked;
  else if (to.value === '') to.value = from.value;
  to.dispatchEvent(new Event('input', { bubbles: true }));
}

const isCheckbox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox';
