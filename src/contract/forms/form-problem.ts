/** What is wrong with an input: the field, and a reason that `messages/forms.ts` has the text of. */
import * as z from 'zod/mini';

/** The first five belong to rules that name no reason. */
export type FormReason =
  | 'missing'
  | 'wrong-type'
  | 'too-large'
  | 'too-small'
  | 'invalid'
  | 'action-item.gone'
  | 'affiliate-code.too-long'
  | 'attendant-code.missing'
  | 'birth-date.missing'
  | 'birth-date.no-such-date'
  | 'birth-date.too-young'
  | 'buyers-per-minute.invalid'
  | 'cart.too-long'
  | 'check-in-closes.malformed'
  | 'check-in-closes.skipped-hour'
  | 'check-in-opens.malformed'
  | 'check-in-opens.skipped-hour'
  | 'check-in.closes-range'
  | 'check-in.opens-after-closing'
  | 'check-in.opens-too-early'
  | 'city.missing'
  | 'city.too-long'
  | 'confirmation-code.invalid'
  | 'confirmation-code.missing'
  | 'description.missing'
  | 'description.too-long'
  | 'device-name.too-long'
  | 'ein.invalid'
  | 'email.invalid'
  | 'email.missing'
  | 'email.too-long'
  | 'end.before-start'
  | 'end.malformed'
  | 'end.missing'
  | 'end.skipped-hour'
  | 'end.too-long'
  | 'factor-code.missing'
  | 'factor-name.missing'
  | 'factor-name.too-long'
  | 'first-name.missing'
  | 'first-name.too-long'
  | 'honeypot.filled'
  | 'last-digits.invalid'
  | 'last-name.missing'
  | 'last-name.too-long'
  | 'latitude.invalid'
  | 'longitude.invalid'
  | 'new-passwords.too-long'
  | 'note.too-long'
  | 'note.too-short'
  | 'organization-bio.missing'
  | 'organization-bio.too-long'
  | 'organization-name.missing'
  | 'organization-name.too-long'
  | 'own-password.missing'
  | 'participants.missing'
  | 'participants.symbols'
  | 'participants.too-long'
  | 'password.missing'
  | 'password.too-long'
  | 'password.too-short'
  | 'passwords.differ'
  | 'passwords.too-long'
  | 'phone-number.missing'
  | 'phone-number.symbols'
  | 'phone-number.too-long'
  | 'phrase.differs'
  | 'postal-code.missing'
  | 'postal-code.symbols'
  | 'postal-code.too-long'
  | 'quantity.not-whole'
  | 'quantity.too-small'
  | 'sales-start.after-end'
  | 'sales-start.malformed'
  | 'sales-start.missing'
  | 'sales-start.skipped-hour'
  | 'session-id.missing'
  | 'ssn.invalid'
  | 'start.in-past'
  | 'start.malformed'
  | 'start.missing'
  | 'start.skipped-hour'
  | 'state.missing'
  | 'street.missing'
  | 'street.too-long'
  | 'tax-id-type.missing'
  | 'terms.not-accepted'
  | 'ticket-description.missing'
  | 'ticket-description.too-long'
  | 'ticket-name.missing'
  | 'ticket-name.taken'
  | 'ticket-name.too-long'
  | 'ticket-price.not-a-number'
  | 'ticket-price.too-high'
  | 'ticket-price.too-low'
  | 'ticket-quantity.invalid'
  | 'tickets.missing'
  | 'tickets.too-many'
  | 'timezone.missing'
  | 'title.missing'
  | 'title.too-long';

export interface FormProblem {
  /** Dotted, such as `tickets.0.ticketPrice`. Empty for the input as a whole. */
  field: string;
  reason: FormReason;
  /** What the field should have: a type for `wrong-type`, a text for `phrase.differs`. */
  expected?: string;
}

/** Names the reason of a rule, where the schema library takes a message. */
export const because = (reason: FormReason): FormReason => reason;

z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type') return because(issue.input === undefined ? 'missing' : 'wrong-type');
    if (issue.code === 'too_big') return because('too-large');
    return because(issue.code === 'too_small' ? 'too-small' : 'invalid');
  },
});
