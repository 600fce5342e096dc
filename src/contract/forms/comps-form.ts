/** Guests at no charge, as organizers type them. */
import * as z from 'zod/mini';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { emailField } from './email-field.ts';
import { because, type FormReason } from './form-problem.ts';
import { typedCount } from './typed-count.ts';

const fields = z.object({
  /** One address per line. */
  emails: z.string(),
  /** The ticket type. */
  ticketId: z.string(),
  quantity: z.string(),
  raisesQuantity: z.boolean(),
});

type Form = z.infer<typeof fields>;

export const compsForm = fields.check((form) => {
  for (const [field, reason] of problemsOf(form.value))
    form.issues.push({ code: 'custom', input: form.value, path: [field], message: because(reason) });
});

/** Each address once. */
export function guestsOf({
  emails,
  ticketId,
  quantity,
}: Form): { email: string; ticketId: string; quantity: number }[] {
  const tickets = quantityOf(quantity) ?? 0;
  const unique = new Map(linesOf(emails).map((email) => [email.toLowerCase(), email]));
  return [...unique.values()].map((email) => ({ email, ticketId, quantity: tickets }));
}

function problemsOf(form: Form): [keyof Form, FormReason][] {
  const problems: [keyof Form, FormReason][] = [];
  const guests = guestsOf(form);
  const quantity = quantityOf(form.quantity);
  if (guests.length === 0) problems.push(['emails', 'email.missing']);
  if (guests.some(({ email }) => !emailField.safeParse(email).success)) problems.push(['emails', 'email.invalid']);
  if (quantity === null || quantity === undefined) problems.push(['quantity', quantityProblem(form.quantity)]);
  return problems;
}

function quantityProblem(quantity: string): FormReason {
  const count = Number(quantity);
  if (!Number.isInteger(count)) return 'quantity.not-whole';
  return count < 1 ? 'quantity.too-small' : 'too-large';
}

const quantityOf = (quantity: string) => typedCount(quantity, ORDER_TICKETS_MAX);

/** Also as email programs copy them, separated by commas or semicolons. */
const linesOf = (emails: string): string[] =>
  emails
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
