/** Events: creating, editing and cancelling them, and their public and private views. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { eventForm } from '#contract/forms/event-form.ts';
import { ownTicketType, ticketType } from '#contract/forms/ticket-types.ts';
import { counted } from '#contract/messages/counted.ts';
import { messageReply } from '#contract/messages/requests.ts';
import type { CancelDenial, EditDenial } from '#domain/event-schedule.ts';
import { CODE_MAX, RESCHEDULES_PER_DAY_MAX } from '#domain/limits.ts';
import type { PlanDenial } from '#domain/plan.ts';
import { PAYOUT_DENIALS } from '#domain/settlement.ts';
import { guestList } from './guests.ts';
import { furtherPayout, payoutStatement } from './payouts.ts';

export type TicketType = z.infer<typeof ticketType>;
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
  /** UTC, for example `2026-06-13T00:00:00.000Z`. */
  startDate_startTime: z.string(),
  endDate_endTime: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  eventPhotos: z.array(z.string()),
  tickets: z.array(ticketType),
  /** Scheduled start of sales, if any. */
  salesStartAt: z.optional(z.string()),
  /** Rate of the waiting room, if the event has one. */
  buyersPerMinute: z.optional(z.number()),
};

export const publicEvent = endpoint({
  method: 'GET',
  path: '/api/public/event/:eventId',
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.union([
    z.object({ ...eventDetails, organizationName: z.nullable(z.string()), bio: z.nullable(z.string()) }),
    /** Tickets are no longer sold. */
    z.object({ code: z.enum(['event-cancelled', 'event-ended']), msg: z.string() }),
  ]),
});

export type PublicEvent = Exclude<z.infer<(typeof publicEvent)['reply']>, { msg: string }>;

export { eventCancelled, eventEnded, eventNotFound } from '#contract/messages/events.ts';

/** The organizer's view of an event, with the first page of its guest list. */
export const organizerEvent = z.object({
  _id: z.string(),
  ...eventDetails,
  tickets: z.array(ownTicketType),
  participants: z.string(),
  /** Changes whenever a field of the edit form changes. */
  version: z.string(),
  attendantId: z.string(),
  feeWaiveStatus: z.boolean(),
  eventUrl: z.string(),
  isCancelled: z.boolean(),
  /** Refund progress; null unless the event is cancelled. */
  cancellation: z.nullable(z.object({ refunds: z.number(), refunded: z.number(), failed: z.number() })),
  payout: z.object({
    /** `open`: can be requested now. `awaiting-funds`: requested, and sent once the Stripe balance covers it. */
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
    /** Why it cannot be requested now; null if it can be, or was. */
    denial: z.nullable(z.enum(PAYOUT_DENIALS)),
    /** Earliest time of a request. */
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
    /** Scheduled start of sales, if any. */
    salesStartAt: z.optional(z.string()),
  }),
});

export const editEvent = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId',
  access: 'organizer',
  /** Ticket types are matched by `ticketId`, otherwise by name. Ignores a `userId` in the body: the session decides. */
  input: z.extend(z.omit(eventForm, { affiliateCode: true }), {
    eventId: z.string(),
    /** The version that the edit is based on. If omitted, the edit overwrites any other. */
    version: z.optional(z.string()),
  }),
  reply: messageReply,
});

export const eventUpdated = 'Event Updated';

export const cancelEvent = endpoint({
  method: 'POST',
  path: '/api/protected/cancel-event',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: messageReply,
});

export const eventCancelledByOrganizer = 'Event cancelled successfully';

export const editErrors: Record<EditDenial, string> = {
  'event-cancelled': "A cancelled event can't be edited.",
  'event-paid-out': "This event was paid out, so it can't be edited.",
  'end-in-past': "This event has sales, so it can't end in the past.",
};

/** Reply to an edit that is based on an outdated version. */
export const eventChanged = {
  code: 'event.changed',
  msg: "This event has changed since you opened it, so your changes aren't saved yet.",
} as const;

export const movedTooOften = `You can change the date or place of an event with sales ${RESCHEDULES_PER_DAY_MAX} times a day, because every change emails your buyers.`;

/** For a quantity below the number of sold and reserved tickets. */
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
