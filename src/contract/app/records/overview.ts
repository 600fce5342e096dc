/** How an event is doing: its figures, its sales by day, what needs its organizer, and what happened last. */
import * as z from 'zod/mini';
import { organizerEvent } from '#contract/app/events.ts';
import { endpoint } from '#contract/endpoint.ts';
import type { Action } from '#domain/accounts/roles.ts';
import { isLinkSlug } from '#domain/reports/tracking-links.ts';

/** What decides which parts of the page a member can act on. */
export const overviewActions = [
  'event.edit',
  'guest.view',
  'sales.view',
  'payout.view',
  'payout.request',
  'dispute.answer',
  'check-in.manage',
] as const satisfies Action[];

export const activities = ['bought', 'added', 'refunded', 'withdrawn', 'checked-in'] as const;

export const eventOverview = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/overview',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    title: z.string(),
    timezone: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
    now: z.string(),
    eventUrl: z.string(),
    /** Of a date of a series. */
    seriesUrl: z.optional(z.string()),
    /** `today` from the morning of its first day until its end. */
    phase: z.enum(['ahead', 'today', 'over', 'cancelled']),
    may: z.array(z.enum(overviewActions)),
    /** Tickets that admit; those of add-ons are counted on their own. */
    sold: z.int(),
    offered: z.int(),
    addOnsSold: z.int(),
    checkedIn: z.int(),
    toCheckIn: z.int(),
    /** Of the event's page, without those of members and of known bots. */
    views: z.int(),
    /** Paid for or free, without comps. */
    orders: z.int(),
    /** Dollars. Null for roles that see no sales. */
    gross: z.nullable(z.number()),
    /** `net` is that of the payout statement, with what later payouts add. Null for roles that see no payouts. */
    payout: z.nullable(
      z.object({
        state: organizerEvent.shape.payout.shape.state,
        net: z.number(),
        opensAt: z.string(),
        paidAt: z.nullable(z.string()),
      }),
    ),
    /** Sold and kept, by the day of the sale in the event's time zone: every day since the first sale. */
    days: z.array(z.object({ day: z.string(), sold: z.int() })),
    /** What will be sold by the start, at the pace of the last week. */
    pace: z.nullable(z.int()),
    types: z.array(
      z.object({
        ticketId: z.string(),
        ticketName: z.string(),
        isAddOn: z.boolean(),
        sold: z.int(),
        offered: z.int(),
        gross: z.nullable(z.number()),
      }),
    ),
    /** Newest first. Null for roles that see no guests. */
    activity: z.nullable(
      z.array(
        z.object({
          what: z.enum(activities),
          at: z.string(),
          /** As the guest list names them; blank once the buyer's data is deleted. */
          who: z.string(),
          tickets: z.int(),
          /** One of the tickets. */
          ticketId: z.string(),
        }),
      ),
    ),
    needs: z.object({
      hasNoPhotos: z.boolean(),
      dispute: z.nullable(z.object({ count: z.int(), amount: z.number(), dueAt: z.nullable(z.string()) })),
      unsyncedScans: z.int(),
      accountTrouble: z.nullable(z.enum(['restricted', 'stopped', 'closed'])),
    }),
    /** The quarter of an hour in which most guests came, once the event is over. */
    busiest: z.nullable(z.object({ from: z.string(), admitted: z.int() })),
  }),
});

export type EventOverview = z.infer<(typeof eventOverview)['reply']>;

/** 1080 × 1080 and 1080 × 1920 pixels, and a page of US Letter. */
export const shareKinds = ['square', 'story', 'flyer'] as const;

export type ShareKind = (typeof shareKinds)[number];

/** Pictures of the event for social media, and a flyer to print. */
export const shareKit = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/share-kit/:kind',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    kind: z.enum(shareKinds),
    /** The ending of a tracking link, to which the flyer's code leads. */
    link: z.optional(z.string().check(z.refine(isLinkSlug))),
  }),
  reply: z.string(),
});
