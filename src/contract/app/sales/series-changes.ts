/** Changes of several dates of a series at once. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { eventForm } from '#contract/forms/event-form.ts';

const dateResult = z.object({
  state: z.enum(['waiting', 'updated', 'unchanged', 'cancelled', 'denied']),
  /** Why it was denied. */
  msg: z.nullable(z.string()),
});

/** The coming dates of an event's series, and what became of each in the last change. */
export const eventSeries = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/series',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    /** Null: the event is not in a series. */
    series: z.nullable(
      z.object({
        /** The member's role permits cancelling the dates. */
        mayCancel: z.boolean(),
        /** The last one; null if there was none. */
        change: z.nullable(z.object({ kind: z.enum(['edit', 'cancel']), isRunning: z.boolean() })),
        /** By start. */
        dates: z.array(
          z.object({
            eventId: z.string(),
            /** UTC. */
            startsAt: z.string(),
            timezone: z.string(),
            subtitle: z.nullable(z.string()),
            /** Not over, cancelled or paid out. Other dates are listed with the change that they were in. */
            isComing: z.boolean(),
            isDraft: z.boolean(),
            ticketsSold: z.int(),
            /** Null: the last change didn't concern it. */
            result: z.nullable(dateResult),
          }),
        ),
      }),
    ),
  }),
});

export type EventSeries = NonNullable<z.infer<(typeof eventSeries)['reply']>['series']>;
export type SeriesDate = EventSeries['dates'][number];

/** Edits a date and the others in scope. What its form doesn't change, each date keeps. */
export const editSeries = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/series',
  access: 'organizer',
  input: z.extend(z.omit(eventForm, { affiliateCode: true }), {
    /** The date whose form it is. */
    eventId: z.string(),
    /** `later`: this date and those that start after it. `all`: all coming dates. */
    scope: z.enum(['later', 'all']),
    /** Of the request: repeated, it changes nothing more. */
    changeId: z.uuid(),
    /** The version of the date that the form is based on. */
    version: z.optional(z.string()),
    /** `false`: a change that would email buyers is denied with their number. If omitted, it is saved. */
    emailsConfirmed: z.optional(z.boolean()),
  }),
  reply: z.object({ changeId: z.string() }),
});

/** What cancelling the coming dates refunds. */
export const seriesToCancel = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/series/cancel',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    title: z.string(),
    dates: z.int(),
    ticketsSold: z.int(),
    /** How many of them cost nothing. */
    freeTickets: z.int(),
    /** Dollars. */
    gross: z.number(),
    /** Dollars that Stripe's fees on what is refunded cost the organizer at most. */
    cancelCosts: z.number(),
  }),
});

export const cancelSeries = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/series/cancel',
  access: 'organizer',
  input: z.object({ eventId: z.string(), changeId: z.uuid() }),
  reply: z.object({ changeId: z.string() }),
});
