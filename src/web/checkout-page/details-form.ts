/** The form of an order's details: what its fields are called, and what they say. */
import * as z from 'zod/mini';
import type { AskedDetails } from '#contract/app/sales/checkout-page.ts';
import { because } from '#contract/forms/form-problem.ts';
import { detailsProblems, type GuestDetails, guestDetails } from '#contract/forms/guest-details.ts';
import { type AskedQuestion, isBlank } from '#domain/sales/guest-form.ts';

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
  const typedOf = ({ id, kind, options }: AskedQuestion): string | string[] => {
    const value = given[id];
    if (kind !== 'any-of') return typeof value === 'string' ? value : '';
    return options.filter((_, index) => Array.isArray(value) && value[index] === true);
  };
  const answers = questions.map((question): [string, string | string[]] => [question.id, typedOf(question)]);
  return Object.fromEntries(answers.filter(([, answer]) => !isBlank(answer)));
}

/** Fills the blank fields of the other tickets with what the first one says. What a guest needs is that guest's own. */
export function copyToAll(form: HTMLFormElement, asked: AskedDetails): void {
  const [first, ...others] = asked.tickets;
  for (const { id, kind } of first?.questions ?? []) {
    if (kind === 'access') continue;
    for (const { position, questions } of others)
      if (questions.some((one) => one.id === id))
        copy(form, { from: `tickets.0.answers.${id}`, to: `tickets.${position - 1}.answers.${id}` });
  }
  for (const { position, asksName } of others)
    if (asksName !== 'off') copy(form, { from: 'tickets.0.name', to: `tickets.${position - 1}.name` });
}

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field, or all checkboxes of a group, which is blank if none is checked. */
function copy(form: HTMLFormElement, { from, to }: { from: string; to: string }): void {
  const controls = (name: string) => [
    ...form.querySelectorAll<Control>(`:is(input, select, textarea):is([name="${name}"], [name^="${name}."])`),
  ];
  const targets = controls(to);
  if (targets.some((control) => (isCheckbox(control) ? control.checked : control.value !== ''))) return;
  for (const [index, source] of controls(from).entries()) {
    const target = targets[index];
    if (!target) continue;
    if (isCheckbox(source) && isCheckbox(target)) target.checked = source.checked;
    else target.value = source.value;
    target.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

export const isCheckbox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox';
