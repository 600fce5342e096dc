/** Guests at no charge, as organizers type them. */
import * as z from 'zod/mini';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { doorNote } from './door-note.ts';
import { emailField } from './email-field.ts';
import { because, type FormReason } from './form-problem.ts';
import { guestName } from './guest-details.ts';
import { typedCount } from './typed-count.ts';

const fields = z.object({
  /** One per line: an address, a name, or both. */
  guests: z.string(),
  /** The ticket type. */
  ticketId: z.string(),
  quantity: z.string(),
  /** About each of them. */
  doorNote,
  raisesQuantity: z.boolean(),
});

type Form = z.infer<typeof fields>;

export const compsForm = fields.check((form) => {
  for (const [field, reason] of problemsOf(form.value))
    form.issues.push({ code: 'custom', input: form.value, path: [field], message: because(reason) });
});

export interface TypedGuest {
  email?: string;
  name?: string;
}

interface GuestToAdd extends TypedGuest {
  ticketId: string;
  quantity: number;
  doorNote?: string;
}

/** Each address once. Two guests may have the same name. */
export function guestsOf({ guests, ticketId, quantity, doorNote: note }: Form): GuestToAdd[] {
  const tickets = quantityOf(quantity) ?? 0;
  const typed = guestsIn(guests);
  const last = new Map(typed.map((guest, index) => [guest.email?.toLowerCase() ?? index, guest]));
  return [...last.values()].map((guest) => ({
    ...guest,
    ticketId,
    quantity: tickets,
    ...(note !== '' && { doorNote: note }),
  }));
}

function problemsOf(form: Form): [keyof Form, FormReason][] {
  const problems: [keyof Form, FormReason][] = [];
  const guests = guestsOf(form);
  const quantity = quantityOf(form.quantity);
  if (guests.length === 0) problems.push(['guests', 'guest.missing']);
  if (guests.some(({ email }) => email !== undefined && !emailField.safeParse(email).success))
    problems.push(['guests', 'email.invalid']);
  if (guests.some(({ name }) => name !== undefined && !guestName.safeParse(name).success))
    problems.push(['guests', 'guest-name.too-long']);
  if (quantity === null || quantity === undefined) problems.push(['quantity', quantityProblem(form.quantity)]);
  return problems;
}

function quantityProblem(quantity: string): FormReason {
  const count = Number(quantity);
  if (!Number.isInteger(count)) return 'quantity.not-whole';
  return count < 1 ? 'quantity.too-small' : 'too-large';
}

const quantityOf = (quantity: string) => typedCount(quantity, ORDER_TICKETS_MAX);

/** `Ada Cooper <ada@example.com>`, as email programs write it. */
const BOTH = /^([^<>]*)<([^<>]*)>$/;

function guestsIn(text: string): TypedGuest[] {
  return text
    .split('\n')
    .flatMap((line) => (line.includes('@') && !BOTH.test(line.trim()) ? line.split(/[,;]/).map(asAddress) : [line]))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', email] = BOTH.exec(line) ?? [];
      if (email === undefined) return line.includes('@') ? { email: line } : { name: line };
      const unquoted = name.trim().replace(/^"(.*)"$/, '$1');
      return { email: email.trim(), ...(unquoted !== '' && { name: unquoted }) };
    });
}

/** Between addresses, what has no `@` is an address that was cut off, not a name. */
const asAddress = (text: string): string => (text.trim() === '' || text.includes('@') ? text : `${text.trim()}@`);
