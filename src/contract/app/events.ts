/** Events: the calls, and what buyers and organizers read of them. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { eventForm } from '#contract/forms/event-form.ts';
import { counted } from '#contract/messages/counted.ts';
import { sentence } from '#contract/messages/requests.ts';
import type { CancelDenial, EditDenial } from '#domain/event-schedule.ts';
import { CODE_MAX, RESCHEDULES_PER_DAY_MAX } from '#domain/limits.ts';
import type { PlanDenial } from '#domain/plan.ts';
import { PAYOUT_DENIALS } from '#domain/settlement.ts';
import { guestList } from './guests.ts';
import { furtherPayout, payoutStatement } from './payouts.ts';

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

/** The same as its organizer reads it, with exact figures. */
const ownTicketType = z.extend(ticketType, {
  /** Tickets left: neither sold nor in a checkout. */
  available: z.number(),
  /** Sold and not refunded. */
  ticketsSold: z.number(),
});

export type OwnTicketType = z.infer<typeof ownTicketType>;

const eventDetails = {
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
  /** Instant from which tickets can be bought, where the organizer declared one. */
  salesStartAt: z.optional(z.string()),
  /** How many buyers a minute the waiting room lets in, where the event has one. */
  buyersPerMinute: z.optional(z.number()),
};

export const publicEvent = endpoint({
  method: 'GET',
  path: '/api/public/event/:eventId',
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.union([
    z.object({ ...eventDetails, organizationName: z.nullable(z.string()), bio: z.nullable(z.string()) }),
    z.object({ msg: z.string() }),
  ]),
});

export type PublicEvent = Exclude<z.infer<(typeof publicEvent)['reply']>, { msg: string }>;

export { eventCancelled, eventEnded, eventNotFound } from '#contract/messages/events.ts';

/** An event as its organizer reads it, with the first page of its guest list. */
export const organizerEvent = z.object({
  _id: z.string(),
  ...eventDetails,
  tickets: z.array(ownTicketType),
  participants: z.string(),
  /** Differs once anything that the edit form holds has changed. */
  version: z.string(),
  attendantId: z.string(),
  feeWaiveStatus: z.boolean(),
  eventUrl: z.string(),
  isCancelled: z.boolean(),
  /** Of a cancelled event: how many of its tickets' refunds are done, and how many went wrong. */
  cancellation: z.nullable(z.object({ refunds: z.number(), refunded: z.number(), failed: z.number() })),
  payout: z.object({
    /** `open`: can be requested now. `awaiting-funds`: requested, and sent once the card company has the money ready. */
    state: z.enum([
      'too-early',
      'open',
      'requested',
      'awaiting-funds',
      'awaiting-account',
      'paid',
      'nothing-to-pay',
      'cancelled',
    ]),
    /** Why it cannot be requested now; null where it can, or was. */
    denial: z.nullable(z.enum(PAYOUT_DENIALS)),
    /** Instant from which it can be requested. */
    opensAt: z.string(),
    paidAt: z.nullable(z.string()),
    statement: payoutStatement,
    /** Oldest first. */
    further: z.array(furtherPayout),
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
    /** Instant from which tickets can be bought, where the organizer set one. */
    salesStartAt: z.optional(z.string()),
  }),
});

export const editEvent = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId',
  access: 'organizer',
  /** Ticket types are matched by `ticketId`, else by name; a `userId` in the body is dropped: the session decides. */
  input: z.extend(z.omit(eventForm, { affiliateCode: true }), {
    eventId: z.string(),
    /** Of the event that the form was filled from. Left out, the edit overwrites whatever is there. */
    version: z.optional(z.string()),
  }),
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

export const editErrors: Record<EditDenial, string> = {
  'event-cancelled': "A cancelled event can't be edited.",
  'event-paid-out': "This event was paid out, so it can't be edited.",
  'end-in-past': "This event has sales, so it can't end in the past.",
};

/** The whole answer to an edit of an older version. */
export const eventChanged = {
  code: 'event.changed',
  msg: "This event has changed since you opened it, so your changes aren't saved yet.",
} as const;

export const movedTooOften = `You can change the date or place of an event with sales ${RESCHEDULES_PER_DAY_MAX} times a day, because every change emails your buyers.`;

/** For a quantity below the tickets that are sold or in a checkout. */
export function quantityBelowSold(ticketName: string, reserved: number): string {
  return `${counted(reserved, `${ticketName} ticket`)} ${reserved === 1 ? 'is' : 'are'} sold or being bought, so you can't go lower.`;
}

export function soldTicketRemoved(ticketName: string): string {
  return `${ticketName} has sales, so it can't be removed.`;
}

export const cancelErrors: Record<CancelDenial, string> = {
  'event-paid-out': "This event was paid out, so it can't be cancelled.",
  'nothing-sold': "This event ended without sales, so there's nothing to cancel.",
};

export const eventErrors: Record<PlanDenial | 'unknown-affiliate-code' | 'referred-before', string> = {
  'too-many-active-events': 'Your plan includes 2 active events. You can add another when one ends.',
  'unknown-affiliate-code': "This affiliate code isn't valid.",
  'referred-before': "You've already used your affiliate code. It's one per organizer.",
};

export const getCoords = endpoint({
  method: 'POST',
  path: '/api/protected/get-coords',
  access: 'organizer',
  input: z.pick(eventForm, { street: true, city: true, state: true, postalCode: true }),
  reply: z.object({ lat: z.number(), lng: z.number() }),
});

export const addressNotFound = "We couldn't place this address. Check the postal code, or set the pin yourself.";
