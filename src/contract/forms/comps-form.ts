/** Guests at no charge, as organizers type them. */
import * as z from 'zod/mini';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { doorNote } from './door-note.ts';
import { emailField } from './email-field.ts';
import { because, type FormProblem, type FormReason } from './form-problem.ts';
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
  for (const { field, reason, expected } of problemsOf(form.value))
    form.issues.push({
      code: 'custom',
      input: form.value,
      path: [field],
      message: because(reason),
      params: { expected },
    });
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
  const typed = guestsIn(guests).map(({ guest }) => guest);
  const last = new Map(typed.map((guest, index) => [guest.email?.toLowerCase() ?? index, guest]));
  return [...last.values()].map((guest) => ({
    ...guest,
    ticketId,
    quantity: tickets,
    ...(note !== '' && { doorNote: note }),
  }));
}

function problemsOf(form: Form): FormProblem[] {
  const guests = guestsIn(form.guests);
  const quantity = quantityOf(form.quantity);
  const noEmails = guests.filter(({ guest: { email } }) => email !== undefined && !emailField.safeParse(email).success);
  const noNames = guests.filter(({ guest: { name } }) => name !== undefined && !guestName.safeParse(name).success);
  return [
    ...(guests.length === 0 ? [{ field: 'guests', reason: because('guest.missing') }] : []),
    ...(noEmails.length === 0 ? [] : [noEmailProblem(noEmails)]),
    ...noNames
      .slice(0, BAD_LINES_MAX)
      .map(({ line }) => ({ field: 'guests', reason: because('guest-name.too-long'), expected: `${line}` })),
    ...(quantity === null || quantity === undefined
      ? [{ field: 'quantity', reason: quantityProblem(form.quantity) }]
      : []),
  ];
}

/** More are named once these are corrected. */
const BAD_LINES_MAX = 20;
const SHOWN_CHARACTERS_MAX = 60;

/** One problem for all lines, because a field shows one. */
function noEmailProblem(guests: readonly GuestOnLine[]): FormProblem {
  const lines = guests
    .slice(0, BAD_LINES_MAX)
    .map(({ line, typed, guest }) => `${line}: ${shortened(guest.email || typed)}`);
  return { field: 'guests', reason: 'email.invalid', expected: lines.join('\n') };
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > SHOWN_CHARACTERS_MAX ? `${characters.slice(0, SHOWN_CHARACTERS_MAX).join('')}…` : text;
}

function quantityProblem(quantity: string): FormReason {
  const count = Number(quantity);
  if (!Number.isInteger(count)) return 'quantity.not-whole';
  return count < 1 ? 'quantity.too-small' : 'too-large';
}

const quantityOf = (quantity: string) => typedCount(quantity, ORDER_TICKETS_MAX);

/** `Ada Cooper <ada@example.com>`, as email programs write it. */
const BOTH = /^([^<>]*)<([^<>]*)>$/;

interface GuestOnLine {
  /** Counted from 1, blank lines included. */
  line: number;
  typed: string;
  guest: TypedGuest;
}

const guestsIn = (text: string): GuestOnLine[] =>
  text.split('\n').flatMap((line, index) => guestsOnLine(line.trim()).map((guest) => ({ line: index + 1, ...guest })));

/** Between addresses, what has no `@` is an address that was cut off, not a name. */
function guestsOnLine(line: string): Pick<GuestOnLine, 'typed' | 'guest'>[] {
  const hasAddresses = line.includes('@');
  const parts = hasAddresses && !BOTH.test(line) ? line.split(/[,;]/) : [line];
  return parts
    .map((part) => part.trim())
    .filter((typed) => typed !== '')
    .map((typed) => {
      const [, name = '', email] = BOTH.exec(typed) ?? [];
      if (email === undefined) return { typed, guest: hasAddresses ? { email: typed } : { name: typed } };
      const unquoted = name.trim().replace(/^"(.*)"$/, '$1');
      return { typed, guest: { email: email.trim(), ...(unquoted !== '' && { name: unquoted }) } };
    });
}
