/** The organizer's workspace: the list of all events, one event's frame, and its card. */
import * as z from 'zod/mini';
import { ownDispute } from '#contract/app/disputes.ts';
import { organizerEvent } from '#contract/app/events.ts';
import { endpoint } from '#contract/endpoint.ts';
import { photoFocus } from '#contract/photo-details.ts';
import { roles } from '#domain/accounts/roles.ts';
import { EVENT_SEARCH_MAX } from '#domain/limits.ts';
import { eventGroups, eventStatuses } from '#domain/sales/event-status.ts';

const head = {
  eventId: z.string(),
  title: z.string(),
  /** Of a date in a series. */
  subtitle: z.nullable(z.string()),
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
  /** How many dates the line stands for: those of its series in the group. */
  dates: z.int(),
});

export type EventRow = z.infer<typeof eventRow>;

/** One line per event or series: coming ones by date, past ones latest first. Of one series, a line per date, in order. */
export const eventRows = endpoint({
  method: 'GET',
  path: '/api/protected/event-rows',
  access: 'organizer',
  input: z.object({
    /** All of them, if omitted: latest first, and a line per date. */
    group: z.optional(z.enum(eventGroups)),
    seriesId: z.optional(z.string()),
    /** Part of the title or subtitle. */
    q: z.optional(z.string().check(z.trim(), z.maxLength(EVENT_SEARCH_MAX))),
    /** The event after which the page begins. */
    after: z.optional(z.string()),
  }),
  reply: z.object({
    rows: z.array(eventRow),
    next: z.nullable(z.string()),
    /** Lines per group that the search lets through. */
    counts: z.record(z.enum(eventGroups), z.int()),
  }),
});

const pastVenue = z.object({
  venueName: z.nullable(z.string()),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  timezone: z.string(),
  latitude: z.number(),
  longitude: z.number(),
});

export type PastVenue = z.infer<typeof pastVenue>;

/** Where the events that the member was given take place, the latest first. */
export const pastVenues = endpoint({
  method: 'GET',
  path: '/api/protected/past-venues',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({ venues: z.array(pastVenue) }),
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
    photoFocus: z.optional(photoFocus),
    ticketTypes: z.int(),
    /** Without those in checkout. */
    orders: z.int(),
    role: z.enum(roles),
    /** Whether the member has all events of the organization. */
    isForAllEvents: z.boolean(),
    /** The other dates of its series, cancelled ones included; null without any. */
    series: z.nullable(
      z.object({ dates: z.int(), position: z.int(), previous: z.nullable(z.string()), next: z.nullable(z.string()) }),
    ),
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

/** `isOn` is null without a payout account. */
const automaticPayouts = z.object({ isOn: z.nullable(z.boolean()), mayChange: z.boolean() });

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
    automatic: automaticPayouts,
    /** Undecided. Empty in roles that can't answer. */
    disputes: z.array(ownDispute),
  }),
});

/** The statement of an event's payouts, as the organizer sees it, to keep or to hand to an accountant. */
export const statementFile = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/statement',
  access: 'organizer',
  input: z.object({ eventId: z.string(), format: z.enum(['pdf', 'csv']) }),
  reply: z.string(),
});

const listedPayout = z.object({
  eventId: z.string(),
  title: z.string(),
  /** Of a date in a series. */
  subtitle: z.nullable(z.string()),
  startsAt: z.string(),
  timezone: z.string(),
  /** Of the payouts of its event: 0 for the first, or for what would be paid. */
  index: z.int(),
  /** Dollars that the organizer gets, or got. */
  amount: z.number(),
  state: organizerEvent.shape.payout.shape.state,
  /** Not requested yet, so the amount still changes. */
  isEstimate: z.boolean(),
  /** An operator keeps it. */
  isHeld: z.boolean(),
  /** When it was paid, will be sent, or can be requested; null if that isn't known, or never comes. */
  at: z.nullable(z.string()),
});

export type ListedPayout = z.infer<typeof listedPayout>;

/** The payouts of all events that the member was given, latest event first. An event without one is there with what it would get. */
export const payoutList = endpoint({
  method: 'GET',
  path: '/api/protected/payouts',
  access: 'organizer',
  input: z.object({
    /** The event after which the page begins. */
    after: z.optional(z.string()),
  }),
  reply: z.object({
    payouts: z.array(listedPayout),
    next: z.nullable(z.string()),
    /** Dollars of all of them, also of those on other pages. */
    sums: z.object({ paid: z.number(), onItsWay: z.number() }),
    automatic: automaticPayouts,
  }),
});

export type PayoutList = z.infer<(typeof payoutList)['reply']>;
