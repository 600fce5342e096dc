/** Events: creating, editing and cancelling them, and their public and private views. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { capacityRows } from '#contract/forms/capacity-rows.ts';
import { eventForm } from '#contract/forms/event-form.ts';
import { orderMax, ownTicketType, publicTicketType, ticketRows } from '#contract/forms/ticket-types.ts';
import { messageReply } from '#contract/message-reply.ts';
import { photoDetails } from '#contract/photo-details.ts';
import { richText } from '#contract/rich-text.ts';
import { EDIT_DENIALS } from '#domain/event-schedule.ts';
import { CODE_MAX } from '#domain/limits.ts';
import { PAYOUT_DENIALS } from '#domain/settlement.ts';
import { guestList } from './guests.ts';
import { furtherPayout, payoutStatement } from './payouts.ts';
import { feeTerms } from './plans.ts';

export type TicketType = z.infer<typeof publicTicketType>;
export type OwnTicketType = z.infer<typeof ownTicketType>;

const eventDetails = {
  eventId: z.string(),
  title: z.string(),
  /** Tells a date from the others of its series. */
  subtitle: z.optional(z.string()),
  seriesId: z.optional(z.string()),
  description: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  venueName: z.optional(z.string()),
  timezone: z.string(),
  /** UTC, for example `2026-06-13T00:00:00.000Z`. */
  startDate_startTime: z.string(),
  endDate_endTime: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** URLs, in their order. */
  eventPhotos: z.array(z.string()),
  /** Which of them is the cover, counted from 0, if it isn't the first. */
  coverPhoto: z.optional(z.int()),
  /** Of each photo, if the organizer gave any. */
  photoDetails: z.optional(z.array(photoDetails)),
  tickets: z.array(publicTicketType),
  /** Tickets of all types in one order, if fewer than an order can have. */
  maxPerOrder: z.optional(z.int()),
  /** Scheduled start of sales, if any. */
  salesStartAt: z.optional(z.string()),
  /** Rate of the waiting room, if the event has one. */
  buyersPerMinute: z.optional(z.number()),
  /** Sales are paused: of all tickets, or of those that cost money. */
  pausedSales: z.optional(z.enum(['all', 'paid'])),
};

const otherDates = z.object({
  count: z.int(),
  /** The soonest of them. */
  next: z.array(
    z.object({ eventId: z.string(), subtitle: z.optional(z.string()), timezone: z.string(), startsAt: z.string() }),
  ),
});

export type OtherDates = z.infer<typeof otherDates>;

export const publicEvent = endpoint({
  method: 'GET',
  path: '/api/public/event/:eventId',
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.union([
    z.object({
      /** Its `description` is plain text. */
      ...eventDetails,
      /** The description with its marks, if it has any. */
      richDescription: z.optional(richText),
      organizationName: z.nullable(z.string()),
      bio: z.nullable(z.string()),
      /** Of what the page shows, but for its stock. */
      pageVersion: z.int(),
      /** Its date, venue, refund policy or prices changed since it was published: see `/payment/{eventId}/changes`. */
      hasChanges: z.optional(z.boolean()),
      /** When check-in opens, if the organizer chose a time. */
      doorsOpenAt: z.optional(z.string()),
      /** It has promo codes. */
      hasPromoCodes: z.optional(z.boolean()),
      /** Of the organization's page, `/o/{slug}`. */
      organizerSlug: z.optional(z.string()),
      /** The style sheet of its accent, `/look/{look}.css`. */
      look: z.optional(z.string()),
      /** Coming ones of its series, which `/series/{seriesId}` has. */
      otherDates: z.optional(otherDates),
    }),
    /** Tickets are no longer sold. */
    z.object({ code: z.enum(['event-cancelled', 'event-ended']), msg: z.string() }),
  ]),
});

export type PublicEvent = Exclude<z.infer<(typeof publicEvent)['reply']>, { msg: string }>;

/** A brake that is on, with the operator's reason. */
export const brake = z.object({ since: z.string(), reason: z.string() });

export type Brake = z.infer<typeof brake>;

/** The organizer's view of an event, with the first page of its guest list. */
export const organizerEvent = z.object({
  _id: z.string(),
  /** Its `description` is as typed, with its marks. */
  ...eventDetails,
  /** The same as plain text, if it has marks. */
  plainDescription: z.optional(z.string()),
  tickets: z.array(ownTicketType),
  participants: z.string(),
  /** On the organization's page and in search results. */
  isListed: z.boolean(),
  /** Check-in hours that the organizer set, in UTC; null where the default holds, or without hours. */
  checkInOpensAt: z.nullable(z.string()),
  checkInClosesAt: z.nullable(z.string()),
  /** Changes whenever a field of the edit form changes. */
  version: z.string(),
  /** Null in roles that may not see it, as is the gross. */
  attendantId: z.nullable(z.string()),
  feeWaiveStatus: z.boolean(),
  feeTerms,
  eventUrl: z.string(),
  isCancelled: z.boolean(),
  /** Not published yet, or taken down. */
  isDraft: z.boolean(),
  /** Set while an operator has stopped the sale of this event. */
  salesStopped: z.nullable(brake),
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
      'objections-open',
      'cancelled',
    ]),
    /** Why it cannot be requested now; null if it can be, or was. */
    denial: z.nullable(z.enum(PAYOUT_DENIALS)),
    /** Earliest time of a request. */
    opensAt: z.string(),
    /** Not before this time, once it was requested; null: at once. */
    sendsAt: z.nullable(z.string()),
    paidAt: z.nullable(z.string()),
    /** Set while an operator keeps payouts of this event. */
    hold: z.nullable(brake),
    /** Dollars that cancelling the event would cost its organizer at most: Stripe's fees on what is refunded. */
    cancelCosts: z.number(),
    /** Null in roles that may not see it. */
    statement: z.nullable(payoutStatement),
    /** Oldest first. */
    further: z.array(furtherPayout),
  }),
  ticketsSold: z.number(),
  /** How many of them cost nothing. */
  freeTickets: z.optional(z.number()),
  /** How many of them the organizer gave away. */
  comps: z.optional(z.number()),
  ticketsScanned: z.number(),
  /** Dollars. */
  gross: z.nullable(z.number()),
  guestList,
  /** Cursor of the next page of guests, or null. */
  guestListNext: z.nullable(z.string()),
});

export type OrganizerEvent = z.infer<typeof organizerEvent>;

export const createEvent = endpoint({
  method: 'POST',
  path: '/api/protected/event',
  access: 'organizer',
  /** A draft redeems no affiliate code: publishing takes it. */
  input: z.extend(eventForm, { isDraft: z.optional(z.boolean()) }),
  reply: z.object({
    eventId: z.string(),
    eventUrl: z.string(),
    /** Empty for a draft: its code begins with publishing. */
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
    /** `false`: an edit that would email buyers is denied with their number. If omitted, it is saved. */
    emailsConfirmed: z.optional(z.boolean()),
  }),
  reply: messageReply,
});

/** The ticket types of an event, as its *Tickets* screen edits them. */
export const eventTickets = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/tickets',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    title: z.string(),
    timezone: z.string(),
    /** UTC. */
    endsAt: z.string(),
    version: z.string(),
    /** Why it can't be edited. */
    denial: z.nullable(z.enum(EDIT_DENIALS)),
    maxPerOrder: z.int(),
    allowsRepeatedFreeOrders: z.boolean(),
    allowsTicketTransfer: z.boolean(),
    feeTerms,
    tickets: z.array(ownTicketType),
    sharedCapacities: z.array(
      z.object({
        capacityId: z.string(),
        name: z.string(),
        capacity: z.int(),
        /** Units that are sold or being bought. */
        reserved: z.int(),
        /** One per ticket type, in their order; null if it doesn't sell from this capacity. */
        units: z.array(z.nullable(z.int())),
      }),
    ),
  }),
});

export type EventTickets = z.infer<(typeof eventTickets)['reply']>;

export const ticketsForm = z.object({
  tickets: ticketRows,
  maxPerOrder: orderMax,
  /** Whether an address gets free tickets more than once. If omitted, it stays as it is. */
  allowsRepeatedFreeOrders: z.optional(z.boolean()),
  /** Whether tickets may go to another person. If omitted, it stays as it is. */
  allowsTicketTransfer: z.optional(z.boolean()),
  /** If omitted, they stay as they are. */
  sharedCapacities: z.optional(capacityRows),
});

/** Edits ticket types and nothing else of the event. Matches them as `editEvent` does. */
export const editTickets = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/tickets',
  access: 'organizer',
  input: z.extend(ticketsForm, { eventId: z.string(), version: z.optional(z.string()) }),
  reply: messageReply,
});

export const cancelEvent = endpoint({
  method: 'POST',
  path: '/api/protected/cancel-event',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: messageReply,
});

export const getCoords = endpoint({
  method: 'POST',
  path: '/api/protected/get-coords',
  access: 'organizer',
  input: z.pick(eventForm, { street: true, city: true, state: true, postalCode: true }),
  reply: z.object({ lat: z.number(), lng: z.number() }),
});
