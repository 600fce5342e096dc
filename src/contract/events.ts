/** Events and their ticket types, as the organizer writes them and as buyers and organizers read them. */
import * as z from 'zod/mini';
import {
  type EditObstacle,
  LONGEST_EVENT_DAYS,
  type ScheduleObstacle,
  scheduleObstacle,
} from '#domain/event-schedule.ts';
import {
  CITY_MAX,
  CODE_MAX,
  DESCRIPTION_MAX,
  PARTICIPANTS_MAX,
  POSTAL_CODE_MAX,
  STREET_MAX,
  TICKET_DESCRIPTION_MAX,
  TICKET_NAME_MAX,
  TICKET_PRICE_MAX_CENTS,
  TICKET_PRICE_MIN_CENTS,
  TICKET_QUANTITY_MAX,
  TICKET_TYPES_MAX,
  TITLE_MAX,
} from '#domain/limits.ts';
import { instantOf, type UnreadableTime } from '#domain/local-time.ts';
import { centsOf } from '#domain/money.ts';
import type { PlanObstacle } from '#domain/plan.ts';
import { endpoint } from './endpoint.ts';
import { guestList } from './guests.ts';
import { payoutStatement } from './payouts.ts';
import { sentence } from './sentences.ts';
import { timezones } from './timezones.ts';
import { usStates } from './us-states.ts';

const required = (label: string, max: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `${label} is required`),
      z.maxLength(max, `${label} must be ${max} characters or less`),
    );

const LETTERS_DIGITS_SPACES = /^[\p{L}\p{N} ]*$/u;

const ticketTypeForm = z.object({
  /** Names the ticket type that is being edited. */
  ticketId: z.optional(z.string()),
  ticketName: z.string(),
  ticketDescription: z.string(),
  ticketPrice: z.union([z.string(), z.number()]),
  ticketQuantity: z.union([z.string(), z.number()]),
});

/** Ticket rows are judged as a list, because every sentence names its row. */
const ticketRows = z.array(ticketTypeForm).check((rows) => {
  if (rows.value.length === 0) report(rows, [], 'Add at least one ticket');
  if (rows.value.length > TICKET_TYPES_MAX)
    report(rows, [], `An event can have at most ${TICKET_TYPES_MAX} ticket types`);

  const names = new Set<string>();
  rows.value.forEach((row, index) => {
    const ticket = `Ticket ${index + 1}`;
    const name = row.ticketName.trim();
    if (!name) report(rows, [index, 'ticketName'], `${ticket} name is required`);
    if (name.length > TICKET_NAME_MAX)
      report(rows, [index, 'ticketName'], `${ticket} name must be ${TICKET_NAME_MAX} characters or less`);
    if (name && names.has(name.toLowerCase()))
      report(rows, [index, 'ticketName'], `${ticket} has the same name as another ticket`);
    names.add(name.toLowerCase());

    if (!row.ticketDescription.trim()) report(rows, [index, 'ticketDescription'], `${ticket} description is required`);
    if (row.ticketDescription.trim().length > TICKET_DESCRIPTION_MAX)
      report(
        rows,
        [index, 'ticketDescription'],
        `${ticket} description must be ${TICKET_DESCRIPTION_MAX} characters or less`,
      );

    const problem = priceProblem(row.ticketPrice);
    if (problem) report(rows, [index, 'ticketPrice'], `${ticket} price ${problem}`);

    const quantity = quantityOf(row.ticketQuantity);
    if (quantity === null)
      report(
        rows,
        [index, 'ticketQuantity'],
        `${ticket} quantity must be a whole number from 1 to ${TICKET_QUANTITY_MAX}`,
      );
  });
});

function priceProblem(price: string | number): string | null {
  const cents = centsOf(price);
  if (cents === null) return 'must be a valid number';
  if (cents > TICKET_PRICE_MAX_CENTS) return 'cannot exceed $50,000';
  if (cents > 0 && cents < TICKET_PRICE_MIN_CENTS) return 'must be $0 or at least $0.50';
  return null;
}

/** A ticket count as typed or sent; `null` unless it is a whole number in range. */
export function quantityOf(quantity: string | number): number | null {
  const text = String(quantity).trim();
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= TICKET_QUANTITY_MAX ? count : null;
}

export const eventForm = z.object({
  title: required('Title', TITLE_MAX),
  description: required('Description', DESCRIPTION_MAX),
  street: required('Street', STREET_MAX),
  city: required('City', CITY_MAX),
  state: z.enum(usStates, 'State is required'),
  postalCode: required('Postal code', POSTAL_CODE_MAX).check(
    z.regex(LETTERS_DIGITS_SPACES, 'Postal code cannot contain symbols'),
  ),
  timezone: z.enum(timezones, 'Time zone is required'),
  startDate_startTime: z.string().check(z.minLength(1, 'Start date/time is required')),
  endDate_endTime: z.string().check(z.minLength(1, 'End date/time is required')),
  participants: z.pipe(
    z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
    required('Participants', PARTICIPANTS_MAX).check(
      z.regex(LETTERS_DIGITS_SPACES, 'Participants field cannot contain symbols'),
    ),
  ),
  tickets: ticketRows,
  latitude: coordinate('Latitude', 90),
  longitude: coordinate('Longitude', 180),
  affiliateCode: z.optional(
    z.string().check(z.trim(), z.maxLength(40, 'Affiliate code must be 40 characters or less')),
  ),
});

export type EventForm = z.infer<typeof eventForm>;

const scheduleSentences: Record<ScheduleObstacle, string> = {
  'start-in-past': 'Start date/time must be in the future',
  'end-before-start': 'End date/time cannot be before start date/time',
  'too-long': `An event can last at most ${LONGEST_EVENT_DAYS} days`,
};

export type Schedule = { startsAt: Date; endsAt: Date };

/**
 * The instants that the form's times mean, or the first sentence about why not.
 * Asked beside the schema, in the form and on the server, because the answer depends on the moment.
 */
export function scheduleOf(
  form: Pick<EventForm, 'timezone' | 'startDate_startTime' | 'endDate_endTime'>,
  now: Date,
  rule: { mayStartInPast: boolean },
): Schedule | string {
  const startsAt = instantOf(form.startDate_startTime, form.timezone, 'earlier');
  if (!(startsAt instanceof Date)) return unreadableTime('Start', startsAt);
  const endsAt = instantOf(form.endDate_endTime, form.timezone, 'later');
  if (!(endsAt instanceof Date)) return unreadableTime('End', endsAt);

  const obstacle = scheduleObstacle({ startsAt, endsAt }, now, rule);
  return obstacle ? scheduleSentences[obstacle] : { startsAt, endsAt };
}

const unreadableTime = (label: 'Start' | 'End', reason: UnreadableTime) =>
  reason === 'skipped-hour'
    ? `${label} date/time does not exist: the clocks go forward then`
    : `${label} date/time must be a date and a time`;

/** A ticket type as everyone reads it. Money on the wire is in dollars. */
const ticketType = z.object({
  ticketId: z.string(),
  ticketName: z.string(),
  ticketDescription: z.string(),
  ticketPrice: z.number(),
  ticketQuantity: z.number(),
  /** Tickets left: exact up to 10, then rounded down. */
  available: z.number(),
});

export type TicketType = z.infer<typeof ticketType>;

const eventFacts = {
  eventId: z.string(),
  title: z.string(),
  description: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  timezone: z.string(),
  /** Instants in UTC, `2026-06-13T00:00:00.000Z`. */
  startDate_startTime: z.string(),
  endDate_endTime: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  eventPhotos: z.array(z.string()),
  tickets: z.array(ticketType),
};

export const publicEvent = endpoint({
  method: 'GET',
  path: '/api/public/event/:eventId',
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.union([
    z.object({ ...eventFacts, organizationName: z.nullable(z.string()), bio: z.nullable(z.string()) }),
    z.object({ msg: z.string() }),
  ]),
});

export type PublicEvent = Exclude<z.infer<(typeof publicEvent)['reply']>, { msg: string }>;

export { eventCancelled, eventEnded, eventNotFound } from './event-words.ts';

/** An event as its organizer reads it, with the first page of its guest list. */
export const organizerEvent = z.object({
  _id: z.string(),
  ...eventFacts,
  participants: z.string(),
  attendantId: z.string(),
  feeWaiveStatus: z.boolean(),
  eventUrl: z.string(),
  isCancelled: z.boolean(),
  /** Of a cancelled event: how many of its tickets' refunds are done. */
  cancellation: z.nullable(z.object({ refunds: z.number(), refunded: z.number() })),
  payout: z.object({
    /** `open`: can be requested now. `awaiting-funds`: requested, and sent once the card company has the money ready. */
    state: z.enum(['too-early', 'open', 'requested', 'awaiting-funds', 'paid', 'nothing-to-pay', 'cancelled']),
    /** Instant from which it can be requested. */
    opensAt: z.string(),
    paidAt: z.nullable(z.string()),
    statement: payoutStatement,
  }),
  ticketsSold: z.number(),
  ticketsScanned: z.number(),
  /** Dollars. */
  gross: z.number(),
  guestList,
  /** Cursor of the next page of guests, or null. */
  guestListNext: z.nullable(z.string()),
});

export type OrganizerEvent = z.infer<typeof organizerEvent>;

export const createEvent = endpoint({
  method: 'POST',
  path: '/api/protected/event',
  access: 'organizer',
  input: eventForm,
  reply: z.object({
    eventId: z.string(),
    eventUrl: z.string(),
    attendantCode: z.string().check(z.maxLength(CODE_MAX)),
    feeWaiveStatus: z.boolean(),
  }),
});

export const editEvent = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId',
  access: 'organizer',
  /** Ticket types are matched by `ticketId`, else by name; a `userId` in the body is dropped: the session decides. */
  input: z.extend(z.omit(eventForm, { affiliateCode: true }), { eventId: z.string() }),
  reply: sentence,
});

export const eventUpdated = 'Event Updated';

export const cancelEvent = endpoint({
  method: 'POST',
  path: '/api/protected/cancel-event',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: sentence,
});

export const eventCancelledByOrganizer = 'Event cancelled successfully';

export const editRefusals: Record<EditObstacle, string> = {
  'event-cancelled': 'A cancelled event cannot be edited.',
  'event-paid-out': 'An event that was paid out cannot be edited.',
  'end-in-past': 'The end of an event with sales cannot be moved into the past.',
};

/** Told when fewer tickets are asked for than are sold or in a checkout. */
export function quantityBelowSold(ticketName: string, reserved: number): string {
  return `${ticketName} has ${reserved} tickets sold or in a checkout, so its quantity cannot be lower.`;
}

export function soldTicketRemoved(ticketName: string): string {
  return `${ticketName} has sales, so it cannot be removed.`;
}

export const cancelRefusals = { 'event-paid-out': 'This event was paid out, so it cannot be cancelled.' };

export const eventRefusals: Record<PlanObstacle | 'unknown-affiliate-code', string> = {
  'too-many-active-events':
    'The Standard plan has 2 active events. Wait until one has ended, or cancel one, to create another.',
  'unknown-affiliate-code': 'This affiliate code is not valid.',
};

export const getCoords = endpoint({
  method: 'POST',
  path: '/api/protected/get-coords',
  access: 'organizer',
  input: z.pick(eventForm, { street: true, city: true, state: true, postalCode: true }),
  reply: z.object({ lat: z.number(), lng: z.number() }),
});

export const addressNotFound = "We couldn't place this address. Check the postal code, or set the pin yourself.";

function coordinate(label: string, limit: number) {
  const words = `${label} must be a number between -${limit} and ${limit}`;
  const inRange = z.number(words).check(z.gte(-limit, words), z.lte(limit, words));
  return z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], words),
      z.transform((value) => (value === '' ? Number.NaN : Number(value))),
    ),
    inRange,
  );
}

type Rows = { value: z.infer<typeof ticketTypeForm>[]; issues: z.core.$ZodRawIssue[] };

function report(rows: Rows, path: (string | number)[], message: string) {
  rows.issues.push({ code: 'custom', input: rows.value, path, message });
}
