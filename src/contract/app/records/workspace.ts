/** The organizer's workspace: the list of all events, one event's frame, and its card. */
import * as z from 'zod/mini';
import { ownDispute } from '#contract/app/disputes.ts';
import { organizerEvent } from '#contract/app/events.ts';
import { endpoint } from '#contract/endpoint.ts';
import { roles } from '#domain/accounts/roles.ts';
import { EVENT_SEARCH_MAX } from '#domain/limits.ts';
import { eventGroups, eventStatuses } from '#domain/sales/event-status.ts';

const head = {
  eventId: z.string(),
  title: z.string(),
  seriesId: z.nullable(z.string()),
  status: z.enum(eventStatuses),
  /** UTC. */
  startsAt: z.string(),
  endsAt: z.string(),
  timezone: z.string(),
  ticketsSold: z.int(),
  ticketsOffered: z.int(),
};

const eventRow = z.object({
  ...head,
  /** Dollars. Null in roles that may not see it. */
  gross: z.nullable(z.number()),
  /** Dollars that the organizer gets, or got. Null in roles that may not see it. */
  payout: z.nullable(z.number()),
});

export type EventRow = z.infer<typeof eventRow>;

/** One line per event: coming ones by date, past ones latest first. */
export const eventRows = endpoint({
  method: 'GET',
  path: '/api/protected/event-rows',
  access: 'organizer',
  input: z.object({
    /** All of them, if omitted: latest first. */
    group: z.optional(z.enum(eventGroups)),
    /** Part of the title. */
    q: z.optional(z.string().check(z.trim(), z.maxLength(EVENT_SEARCH_MAX))),
    /** The event after which the page begins. */
    after: z.optional(z.string()),
  }),
  reply: z.object({
    rows: z.array(eventRow),
    next: z.nullable(z.string()),
    /** Events per group that the search lets through. */
    counts: z.record(z.enum(eventGroups), z.int()),
  }),
});

/** What surrounds every screen of an event. */
export const eventFrame = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/frame',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    ...head,
    city: z.string(),
    state: z.string(),
    salesStartAt: z.nullable(z.string()),
    eventUrl: z.string(),
    photo: z.nullable(z.string()),
    ticketTypes: z.int(),
    /** Without those in checkout. */
    orders: z.int(),
    role: z.enum(roles),
    /** Refund progress; null unless the event is cancelled. */
    cancellation: z.nullable(z.object({ refunds: z.number(), refunded: z.number(), failed: z.number() })),
  }),
});

export type EventFrame = z.infer<(typeof eventFrame)['reply']>;

/** One event of the profile, as its card shows it. */
export const eventCard = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({ event: organizerEvent }),
});

/** What its organizer gets for an event, and why not more. */
export const eventMoney = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/money',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    event: organizerEvent,
    role: z.enum(roles),
    /** Payouts wait until an owner confirms the payout account. */
    isPayoutAccountUnconfirmed: z.boolean(),
    /** Undecided. Empty in roles that can't answer. */
    disputes: z.array(ownDispute),
  }),
});
