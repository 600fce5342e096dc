/** An event's guests by name: filtered, searched, and one by one. */
import * as z from 'zod/mini';
import { shownAnswers } from '#contract/app/checkout.ts';
import { guestStates } from '#contract/app/guests.ts';
import { endpoint } from '#contract/endpoint.ts';
import type { Action } from '#domain/accounts/roles.ts';
import { OPTION_MAX } from '#domain/sales/guest-form.ts';
import { channels, guestFilters } from '#domain/sales/guest-list.ts';
import { pageEnds } from './page-ends.ts';

const filters = {
  /** The beginning of a name, one of its words, or an address; `@` and a domain; the beginning or the end of a number. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  /** A ticket type. */
  type: z.optional(z.uuid()),
  state: z.optional(z.enum(guestFilters)),
  channel: z.optional(z.enum(channels)),
  /** A question: any answer to it, or this one. */
  question: z.optional(z.uuid()),
  answer: z.optional(z.string().check(z.maxLength(OPTION_MAX))),
};

const listedGuest = z.object({
  ticketId: z.string(),
  name: z.nullable(z.string()),
  /** Blank for a guest whom the organizer added by name, and once the buyer's data is deleted. */
  email: z.string(),
  confirmationNumber: z.string(),
  ticketName: z.string(),
  state: z.enum(guestStates),
  scannedAt: z.nullable(z.string()),
  channel: z.enum(channels),
});

export type ListedGuest = z.infer<typeof listedGuest>;

/** Sorted by name; guests without one by their address. */
export const guestRows = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guest-rows',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    ...filters,
    /** Tickets whose places in the list bound the page: after the one, up to the other. */
    after: z.optional(z.uuid()),
    until: z.optional(z.uuid()),
  }),
  reply: z.object({ guests: z.array(listedGuest) }),
});

export const guestActions = [
  'comp.manage',
  'door-note.edit',
  'guest.export',
  'order.correct-email',
  'ticket.refund',
  'ticket.resend',
] as const satisfies Action[];

export type GuestFilters = Omit<z.infer<(typeof guestRows)['input']>, 'eventId' | 'after' | 'until'>;

/** What follows a page of the list, so that any other page can be read. */
export const guestPageEnds = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guest-page-ends',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    ...filters,
    /** The last ticket of the page. */
    after: z.uuid(),
  }),
  reply: pageEnds,
});

/** What the list can be filtered by, and how long it is. */
export const guestTable = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guest-table',
  access: 'organizer',
  input: z.object({ eventId: z.string(), ...filters }),
  reply: z.object({
    title: z.string(),
    timezone: z.string(),
    /** Which of these the caller may do. */
    may: z.array(z.enum(guestActions)),
    types: z.array(z.object({ ticketId: z.string(), ticketName: z.string() })),
    /** Every question that was ever asked. Without answers to choose from, it has free ones. */
    questions: z.array(z.object({ questionId: z.string(), label: z.string(), answers: z.array(z.string()) })),
    /** Of all tickets that the search and the answer let through, whatever the other filters say. */
    counts: z.array(
      z.object({ ticketId: z.string(), state: z.enum(guestStates), channel: z.enum(channels), tickets: z.int() }),
    ),
  }),
});

export type GuestTable = z.infer<(typeof guestTable)['reply']>;

/** In the order of their moments. */
export const happenings = [
  'bought',
  'added',
  'emailed',
  'resent',
  'moved',
  'transferred',
  'checked-in',
  'refund-requested',
  'refund-made',
  'withdrawn',
  'refunded',
  'refund-failed',
  'disputed',
  'dispute-won',
  'dispute-lost',
  'dispute-closed',
] as const;

export type Happening = (typeof happenings)[number];

export const guestDetails = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guests/:ticketId',
  access: 'organizer',
  input: z.object({ eventId: z.string(), ticketId: z.uuid() }),
  reply: z.object({
    ...listedGuest.shape,
    orderId: z.string(),
    /** The address is that of its holder, who didn't order it. */
    isTransferred: z.boolean(),
    /** What the organizer wants the door to know; blank without one. */
    doorNote: z.string(),
    /** Dollars. */
    price: z.number(),
    answers: shownAnswers,
    timezone: z.string(),
    isEventCancelled: z.boolean(),
    /** All tickets of the order, this one included. */
    order: z.array(
      z.object({
        ticketId: z.string(),
        position: z.int(),
        name: z.nullable(z.string()),
        ticketName: z.string(),
        state: z.enum(guestStates),
      }),
    ),
    /** Oldest first. `by`: the device that checked the guest in. */
    timeline: z.array(z.object({ what: z.enum(happenings), at: z.string(), by: z.nullable(z.string()) })),
  }),
});

export type GuestDetails = z.infer<(typeof guestDetails)['reply']>;

/** For paper: without addresses. Those without a name come last, by the end of their number. */
export const printedGuests = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/printed-guests',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    ...filters,
    /** `next` of the previous page. */
    after: z.optional(z.uuid()),
  }),
  reply: z.object({
    title: z.string(),
    timezone: z.string(),
    startsAt: z.string(),
    guests: z.array(
      z.object({
        ticketId: z.string(),
        name: z.nullable(z.string()),
        ticketName: z.string(),
        lastDigits: z.string(),
        isCheckedIn: z.boolean(),
      }),
    ),
    next: z.nullable(z.string()),
  }),
});

export type PrintedGuest = z.infer<(typeof printedGuests)['reply']>['guests'][number];
