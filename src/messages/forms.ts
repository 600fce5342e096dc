/** What is wrong with a form, by reason. */
import type { FormProblem, FormReason } from '#contract/forms/form-problem.ts';
import { FACTOR_NAME_MAX } from '#domain/accounts/factors.ts';
import { MINIMUM_AGE } from '#domain/accounts/onboarding.ts';
import { EVENT_DAYS_MAX } from '#domain/event-schedule.ts';
import {
  BUYERS_PER_MINUTE_MAX,
  CAPACITY_NAME_MAX,
  CAPACITY_UNITS_MAX,
  CART_LINES_MAX,
  CITY_MAX,
  CLOSES_HOURS_AFTER_END_MAX,
  CONTACT_TEXT_MAX,
  DESCRIPTION_MAX,
  DEVICE_NAME_MAX,
  EARLY_CHECK_IN_HOURS,
  EMAIL_MAX,
  GUEST_SEARCH_LETTERS_MIN,
  LINK_NAME_MAX,
  NAME_MAX,
  ORDER_TICKETS_MAX,
  ORGANIZATION_BIO_MAX,
  ORGANIZATION_NAME_MAX,
  PARTICIPANTS_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PHONE_MAX,
  PLAN_COUNT_MAX,
  PLAN_NAME_MAX,
  POSTAL_CODE_MAX,
  PROMO_CODE_MAX,
  PROMO_CODE_MIN,
  REFUND_REASON_MAX,
  REPORT_TEXT_MAX,
  SHARED_CAPACITIES_MAX,
  SLUG_MAX,
  STATEMENT_MAX,
  STREET_MAX,
  SUBTITLE_MAX,
  TICKET_DESCRIPTION_MAX,
  TICKET_NAME_MAX,
  TICKET_QUANTITY_MAX,
  TICKET_TYPES_MAX,
  TITLE_MAX,
  VENUE_NAME_MAX,
  WEBHOOK_URL_MAX,
  WEBSITE_MAX,
} from '#domain/limits.ts';
import { RESERVE_DAYS_MAX, RESERVE_PERCENT_MAX } from '#domain/payouts/brakes.ts';
import {
  ANSWER_DAYS_MAX,
  ANSWER_MAX,
  DOOR_NOTE_MAX,
  GUEST_NAME_MAX,
  OPTION_MAX,
  OPTIONS_MAX,
  OPTIONS_MIN,
  QUESTION_HELP_MAX,
  QUESTION_LABEL_MAX,
  QUESTIONS_MAX,
} from '#domain/sales/guest-form.ts';
import { TAX_LABEL_MAX, TAX_RATE_MAX } from '#domain/taxes/included-tax.ts';
import { formatCount } from './format.ts';
import { apiKeyProblems } from './programs/api-keys.ts';

type Text = string | ((problem: FormProblem) => string);

/** `ticketPrice` of `tickets.0.ticketPrice` */
const nameOf = ({ field }: FormProblem) =>
  field.split('.').findLast((step) => step !== '' && !/^\d+$/.test(step)) ?? 'This request';

/** `Ticket 1` of `tickets.0.ticketPrice` */
const ticketOf = ({ field }: FormProblem) => numbered('Ticket', field);

/** `Shared capacity 1` of `sharedCapacities.0.name` */
const capacityOf = ({ field }: FormProblem) => numbered('Shared capacity', field);

/** Without a number in a request about one of them. */
const numbered = (name: string, field: string) => {
  const [, index = ''] = field.split('.');
  return /^\d+$/.test(index) ? `${name} ${Number(index) + 1}` : name;
};

/** `Ticket 3: Meal choice` of an answer at `tickets.2.answers.{id}`, and only the label of one that is asked once. */
const questionOf = (problem: FormProblem) =>
  `${problem.field.startsWith('tickets.') ? `${ticketOf(problem)}: ` : ''}${problem.expected}`;

const tooLong = (what: string, max: number) => `${what} must be ${max} characters or less`;
const skippedHour = "doesn't exist: clocks spring forward then";
const malformed = 'must be a date and a time';
const fromOneTo = (max: number) => `must be a whole number from 1 to ${formatCount(max)}`;

export const startInPast = 'Start date/time must be in the future';

/** Of a date that was typed without its time, or the other way round. */
export const incompleteTime = 'Complete the date and the time, or clear both.';

const texts: Record<FormReason, Text> = {
  missing: (problem) => `${nameOf(problem)} is required.`,
  'wrong-type': (problem) => `${nameOf(problem)} must be ${withArticle(problem.expected ?? 'something else')}.`,
  'too-large': (problem) => `${nameOf(problem)} is too long or too large.`,
  'too-small': (problem) => `${nameOf(problem)} is too short or too small.`,
  invalid: (problem) => `${nameOf(problem)} isn't valid.`,

  'action-item.gone': 'Already handled.',
  'affiliate-code.too-long': 'Affiliate code must be 40 characters or less',
  'answer-days.invalid': `Days ${fromOneTo(ANSWER_DAYS_MAX)}`,
  'answer.missing': (problem) => `${questionOf(problem)} is required`,
  'answer.no-date': (problem) => `${questionOf(problem)} must be a date`,
  'answer.not-offered': (problem) => `${questionOf(problem)}: choose one of the options`,
  'answer.too-long': (problem) => tooLong(questionOf(problem), ANSWER_MAX),
  'attendant-code.missing': 'Attendant code is required',
  'birth-date.missing': 'Date of birth is required',
  'birth-date.no-such-date': "Date of birth isn't a valid date",
  'birth-date.too-young': `You must be at least ${MINIMUM_AGE} years old`,
  'buyers-per-minute.invalid': `Buyers per minute ${fromOneTo(BUYERS_PER_MINUTE_MAX)}`,
  'capacities.too-many': `An event can have at most ${SHARED_CAPACITIES_MAX} shared capacities`,
  'capacity-name.missing': (problem) => `${capacityOf(problem)} name is required`,
  'capacity-name.taken': 'Two shared capacities have the same name',
  'capacity-name.too-long': (problem) => tooLong(`${capacityOf(problem)} name`, CAPACITY_NAME_MAX),
  'capacity-size.invalid': (problem) => `${capacityOf(problem)} size ${fromOneTo(TICKET_QUANTITY_MAX)}`,
  'capacity-units.invalid': (problem) => `${capacityOf(problem)} seats per ticket ${fromOneTo(CAPACITY_UNITS_MAX)}`,
  'capacity-units.missing': (problem) => `${capacityOf(problem)} needs seats for at least one ticket type`,
  'cart.too-long': `A cart can have at most ${CART_LINES_MAX} different tickets.`,
  'check-in-closes.malformed': `The closing of check-in ${malformed}`,
  'check-in-closes.skipped-hour': `The closing of check-in ${skippedHour}`,
  'check-in-opens.malformed': `The opening of check-in ${malformed}`,
  'check-in-opens.skipped-hour': `The opening of check-in ${skippedHour}`,
  'check-in.closes-range': `Check-in must close between the start and ${CLOSES_HOURS_AFTER_END_MAX} hours after the end`,
  'check-in.opens-after-closing': 'Check-in must open before it closes',
  'check-in.opens-too-early': `Check-in can open ${EARLY_CHECK_IN_HOURS} hours before the start at the earliest`,
  'city.missing': 'City is required',
  'city.too-long': tooLong('City', CITY_MAX),
  'confirmation-code.invalid': 'Confirmation code must be exactly 10 digits.',
  'confirmation-code.missing': 'Confirmation code is required',
  'contact-message.missing': 'Write a message.',
  'contact-message.too-long': `${tooLong('Message', CONTACT_TEXT_MAX)}.`,
  'description.missing': 'Description is required',
  'description.too-long': tooLong('Description', DESCRIPTION_MAX),
  'device-name.too-long': tooLong('Device name', DEVICE_NAME_MAX),
  'door-note.too-long': `Use at most ${DOOR_NOTE_MAX} characters`,
  'refund-reason.too-long': `Use at most ${REFUND_REASON_MAX} characters`,
  'ein.invalid': 'EIN must be 9 digits',
  'email.invalid': 'Email must be a valid email address.',
  'email.missing': 'Email is required.',
  'email.too-long': `${tooLong('Email', EMAIL_MAX)}.`,
  'end.before-start': 'End date/time cannot be before start date/time',
  'end.malformed': `End date/time ${malformed}`,
  'end.missing': 'End date/time is required',
  'end.skipped-hour': `End date/time ${skippedHour}`,
  'end.too-long': `An event can last at most ${EVENT_DAYS_MAX} days`,
  'factor-code.missing': 'Enter the code.',
  'factor-name.missing': 'Name is required',
  'factor-name.too-long': tooLong('Name', FACTOR_NAME_MAX),
  'first-name.missing': 'First name is required',
  'first-name.too-long': tooLong('First name', NAME_MAX),
  'guest-name.missing': (problem) => `${ticketOf(problem)}: name is required`,
  'guest-name.too-long': (problem) => tooLong(`${ticketOf(problem)}: name`, GUEST_NAME_MAX),
  'honeypot.filled': 'Spam submission detected.',
  'guest.missing': 'Enter an email address or a name',
  'guest-search.too-short': `Enter at least ${GUEST_SEARCH_LETTERS_MIN} letters`,
  'last-digits.invalid': 'Enter the last 4 digits',
  'link-name.missing': 'Name is required',
  'link-name.too-long': tooLong('Name', LINK_NAME_MAX),
  'link-slug.invalid': `Use up to ${SLUG_MAX} letters, digits and single hyphens`,
  'key-name.missing': apiKeyProblems.nameMissing,
  'key-name.too-long': apiKeyProblems.nameTooLong,
  'key-scopes.missing': apiKeyProblems.scopesMissing,
  'last-name.missing': 'Last name is required',
  'last-name.too-long': tooLong('Last name', NAME_MAX),
  'latitude.invalid': 'Latitude must be a number between -90 and 90',
  'longitude.invalid': 'Longitude must be a number between -180 and 180',
  'max-per-order.invalid': `Tickets per order ${fromOneTo(ORDER_TICKETS_MAX)}`,
  'new-passwords.too-long': `${tooLong('Passwords', PASSWORD_MAX)}.`,
  'note.too-long': 'Note must be 500 characters or less.',
  'note.too-short': 'Please write a note of at least 5 characters.',
  'organization-bio.missing': 'Organization bio is required',
  'organization-bio.too-long': tooLong('Organization bio', ORGANIZATION_BIO_MAX),
  'organization-name.missing': 'Organization name is required',
  'organization-name.too-long': tooLong('Organization name', ORGANIZATION_NAME_MAX),
  'own-password.missing': 'Enter your password.',
  'participants.missing': 'Number of participants is required',
  'participants.symbols': 'Participants field cannot contain symbols',
  'participants.too-long': tooLong('Participants', PARTICIPANTS_MAX),
  'password.missing': 'Password is required.',
  'password.too-long': `${tooLong('Password', PASSWORD_MAX)}.`,
  'password.too-short': `Password must be at least ${PASSWORD_MIN} characters.`,
  'passwords.differ': 'Passwords do not match.',
  'passwords.too-long': `${tooLong('Password and Confirm Password', PASSWORD_MAX)}.`,
  'phone-number.missing': 'Phone number is required',
  'phone-number.symbols': 'Phone number can only contain numbers and valid symbols (+, -, (), space)',
  'phone-number.too-long': tooLong('Phone number', PHONE_MAX),
  'phrase.differs': ({ expected = '' }) => `Type it exactly as written: ${expected}`,
  'plan-amount.invalid': 'Amounts must be in dollars and not negative, with at most 2 decimals',
  'plan-count.invalid': `Counts must be whole numbers from 1 to ${formatCount(PLAN_COUNT_MAX)}`,
  'plan-name.missing': 'Name is required',
  'plan-name.too-long': tooLong('Name', PLAN_NAME_MAX),
  'plan-percent.invalid': 'Percentages must be numbers below 100, with at most 2 decimals',
  'postal-code.missing': 'Postal code is required',
  'postal-code.symbols': 'Postal code cannot contain symbols',
  'postal-code.too-long': tooLong('Postal code', POSTAL_CODE_MAX),
  'promo-amount.invalid': 'Amount off must be a price, such as 5 or 5.00',
  'promo-code.invalid': `Promo code must have ${PROMO_CODE_MIN} to ${PROMO_CODE_MAX} letters, digits or hyphens`,
  'promo-fixed.invalid': 'Price must be 0, or from $0.50 to $50,000.00',
  'promo-from.malformed': `Valid from ${malformed}`,
  'promo-from.skipped-hour': `Valid from ${skippedHour}`,
  'promo-max-per-order.invalid': `Tickets per order ${fromOneTo(ORDER_TICKETS_MAX)}`,
  'promo-max-uses.invalid': `Tickets in total ${fromOneTo(TICKET_QUANTITY_MAX)}`,
  'promo-percent.invalid': `Percent off ${fromOneTo(100)}`,
  'promo-until.malformed': `Valid until ${malformed}`,
  'promo-until.skipped-hour': `Valid until ${skippedHour}`,
  'promo-until.too-early': 'The code must end after it starts',
  'quantity.not-whole': 'Quantity must be a whole number.',
  'quantity.too-small': 'Quantity must be at least 1.',
  'reserve-days.invalid': `Days ${fromOneTo(RESERVE_DAYS_MAX)}`,
  'reserve-percent.invalid': `The percentage must be a whole number from 0 to ${RESERVE_PERCENT_MAX}`,
  'order-code.missing': 'Enter the 6 digits from the email.',
  'question-help.too-long': tooLong('Hint', QUESTION_HELP_MAX),
  'question-label.missing': 'Question is required',
  'question-label.too-long': tooLong('Question', QUESTION_LABEL_MAX),
  'question-options.invalid': `Enter ${OPTIONS_MIN} to ${OPTIONS_MAX} options of ${OPTION_MAX} characters or less, one per line`,
  'question-options.repeated': 'Two options are the same',
  'questions.too-many': `An event can have at most ${QUESTIONS_MAX} questions`,
  'report-reason.missing': 'Choose a reason.',
  'report-text.too-long': `${tooLong('Text', REPORT_TEXT_MAX)}.`,
  'statement.too-long': `${tooLong('Text', STATEMENT_MAX)}.`,
  'tax-label.too-long': `${tooLong('Name', TAX_LABEL_MAX)}.`,
  'tax-percent.invalid': `Tax must be between 0% and ${TAX_RATE_MAX / 1000}%, with at most three decimals.`,
  'sales-start.after-end': 'Sales start must be before the event ends',
  'sales-start.malformed': `Sales start date/time ${malformed}`,
  'sales-start.missing': 'Set a sales start to use a waiting room',
  'sales-start.skipped-hour': `Sales start date/time ${skippedHour}`,
  'session-id.missing': 'No session ID provided',
  'ssn.invalid': 'SSN/ITIN must be 9 digits',
  'start.in-past': startInPast,
  'start.malformed': `Start date/time ${malformed}`,
  'start.missing': 'Start date/time is required',
  'start.skipped-hour': `Start date/time ${skippedHour}`,
  'state.missing': 'State is required',
  'street.missing': 'Street is required',
  'street.too-long': tooLong('Street', STREET_MAX),
  'subtitle.too-long': tooLong('Subtitle', SUBTITLE_MAX),
  'tax-id-type.missing': 'Please choose a tax ID type',
  'terms.not-accepted': 'Please accept the terms and conditions.',
  'ticket-description.missing': (problem) => `${ticketOf(problem)} description is required`,
  'ticket-description.too-long': (problem) => tooLong(`${ticketOf(problem)} description`, TICKET_DESCRIPTION_MAX),
  'ticket-max.invalid': (problem) => `${ticketOf(problem)} maximum per order ${fromOneTo(ORDER_TICKETS_MAX)}`,
  'ticket-min.above-max': (problem) => `${ticketOf(problem)} minimum per order is higher than its maximum`,
  'ticket-min.above-order': (problem) =>
    `${ticketOf(problem)} minimum per order is higher than the event's tickets per order`,
  'ticket-min.above-quantity': (problem) => `${ticketOf(problem)} minimum per order is higher than its quantity`,
  'ticket-min.invalid': (problem) => `${ticketOf(problem)} minimum per order ${fromOneTo(ORDER_TICKETS_MAX)}`,
  'ticket-name.missing': (problem) => `${ticketOf(problem)} name is required`,
  'ticket-name.taken': (problem) => `${ticketOf(problem)} has the same name as another ticket`,
  'ticket-name.too-long': (problem) => tooLong(`${ticketOf(problem)} name`, TICKET_NAME_MAX),
  'ticket-opens-after.cycle': (problem) => `${ticketOf(problem)} waits for itself, directly or through other types`,
  'ticket-opens-after.hidden': (problem) =>
    `${ticketOf(problem)} can't open after a hidden type, which buyers don't see`,
  'ticket-opens-after.too-long': (problem) => `${ticketOf(problem)} waits for more than 4 types, one after the other`,
  'ticket-opens-after.unknown': (problem) => `${ticketOf(problem)} opens after a type that doesn't exist`,
  'ticket-price.not-a-number': (problem) => `${ticketOf(problem)} price must be a valid number`,
  'ticket-price.too-high': (problem) => `${ticketOf(problem)} price cannot exceed $50,000`,
  'ticket-price.too-low': (problem) => `${ticketOf(problem)} price must be $0 or at least $0.50`,
  'ticket-quantity.invalid': (problem) => `${ticketOf(problem)} quantity ${fromOneTo(TICKET_QUANTITY_MAX)}`,
  'ticket-sales-from.malformed': (problem) => `${ticketOf(problem)} sales start ${malformed}`,
  'ticket-sales-from.skipped-hour': (problem) => `${ticketOf(problem)} sales start ${skippedHour}`,
  'ticket-sales-until.malformed': (problem) => `${ticketOf(problem)} sales end ${malformed}`,
  'ticket-sales-until.skipped-hour': (problem) => `${ticketOf(problem)} sales end ${skippedHour}`,
  'ticket-sales-until.too-early': (problem) => `${ticketOf(problem)} sales end before they start`,
  'ticket-suggested.below-minimum': (problem) => `${ticketOf(problem)} suggested price is below its minimum`,
  'ticket-suggested.invalid': (problem) => `${ticketOf(problem)} suggested price must be a price, such as 10 or 10.00`,
  'tickets.missing': 'Add at least one ticket',
  'tickets.only-add-ons': 'At least one ticket must let someone in',
  'tickets.too-many': `An event can have at most ${TICKET_TYPES_MAX} ticket types`,
  'timezone.missing': 'Time zone is required',
  'title.missing': 'Title is required',
  'title.too-long': tooLong('Title', TITLE_MAX),
  'venue-name.too-long': tooLong('Venue name', VENUE_NAME_MAX),
  'website.invalid': 'Enter a web address that starts with https://',
  'webhook-types.missing': 'Choose what to send',
  'webhook-url.missing': 'Address is required',
  'webhook-url.too-long': tooLong('Address', WEBHOOK_URL_MAX),
  'website.too-long': tooLong('Website', WEBSITE_MAX),
};

/** An issue that the schema of a form reports: its message is the reason. */
interface Issue {
  path: readonly PropertyKey[];
  message: string;
  expected?: unknown;
  /** Of fields that the form doesn't have. */
  keys?: readonly string[];
  params?: Readonly<Record<string, unknown>> | undefined;
}

export function problemOf({ path, message, expected, params, keys = [] }: Issue): FormProblem {
  const field = [...path, ...keys.slice(0, 1)].map(String).join('.');
  const reason = isReason(message) ? message : 'invalid';
  if (reason === 'wrong-type') return { field, reason, expected: String(expected) };
  const said = params?.['expected'];
  return typeof said === 'string' ? { field, reason, expected: said } : { field, reason };
}

const isReason = (message: string): message is FormReason => message in texts;

export function formText(problem: FormProblem): string {
  const text = texts[problem.reason];
  return typeof text === 'string' ? text : text(problem);
}

function withArticle(expected: string): string {
  const name = { string: 'text', int: 'whole number', record: 'object' }[expected] ?? expected;
  if (name === 'text') return name;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
