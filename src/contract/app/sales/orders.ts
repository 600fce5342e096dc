/** An event's orders: filtered, searched, one by one, and refunded by members. */
import * as z from 'zod/mini';
import { shownAnswers } from '#contract/app/checkout.ts';
import { guestStates } from '#contract/app/guests.ts';
import { endpoint } from '#contract/endpoint.ts';
import { refundReason } from '#contract/forms/refund-reason.ts';
import { messageReply } from '#contract/message-reply.ts';
import type { Action } from '#domain/accounts/roles.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { listedOrderStates } from '#domain/sales/order-list.ts';
import { happenings } from './guest-table.ts';
import { pageEnds } from './page-ends.ts';

const filters = {
  /**
   * The beginning of a name, one of its words, or an address; `@` and a domain; an order's id or its end; the beginning or the end
   * of a confirmation number.
   */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  state: z.optional(z.enum(listedOrderStates)),
};

const listedOrder = z.object({
  orderId: z.string(),
  name: z.nullable(z.string()),
  /** Blank before the buyer gave one, and once the buyer's data is deleted. */
  email: z.string(),
  tickets: z.int(),
  /** Dollars. Null in roles that may not see sales. */
  total: z.nullable(z.number()),
  /** When it was paid, or reserved. */
  at: z.string(),
  state: z.enum(listedOrderStates),
  /** When the reservation ends; null once it is over. */
  reservedUntil: z.nullable(z.string()),
});

export type ListedOrder = z.infer<typeof listedOrder>;

/** Newest first. */
export const orderRows = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/order-rows',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    ...filters,
    /** Orders that bound the page: after the one, up to the other. */
    after: z.optional(z.uuid()),
    until: z.optional(z.uuid()),
  }),
  reply: z.object({ orders: z.array(listedOrder) }),
});

export type OrderFilters = Omit<z.infer<(typeof orderRows)['input']>, 'eventId' | 'after' | 'until'>;

export const orderActions = ['order.correct-email', 'ticket.refund', 'ticket.resend'] as const satisfies Action[];

/** What follows a page of the list, so that any other page can be read. */
export const orderPageEnds = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/order-page-ends',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    ...filters,
    /** The last order of the page. */
    after: z.uuid(),
  }),
  reply: pageEnds,
});

/** What the list can be filtered by, and how long it is. */
export const orderTable = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/order-table',
  access: 'organizer',
  input: z.object({ eventId: z.string(), ...filters }),
  reply: z.object({
    title: z.string(),
    timezone: z.string(),
    /** Which of these the caller may do. */
    may: z.array(z.enum(orderActions)),
    /** Of all orders that the search lets through. */
    counts: z.array(z.object({ state: z.enum(listedOrderStates), orders: z.int() })),
  }),
});

export type OrderTable = z.infer<(typeof orderTable)['reply']>;

export const refundReasons = [
  'requested',
  'organizer',
  'event-cancelled',
  'unfulfillable-order',
  'external',
  'withdrawn',
] as const;

export const refundStates = ['claimed', 'sent', 'refused', 'restored', 'failed'] as const;

export const orderEmails = [
  'tickets',
  'ticket',
  'order-unfulfillable',
  'email-corrected',
  'ticket-transferred',
  'refund-requested',
  'refund-accepted',
  'refund-refused',
  'refund-failed',
  'refunded-by-organizer',
  'comp-withdrawn',
  'event-changed',
  'event-cancelled',
] as const;

export type OrderEmail = (typeof orderEmails)[number];

/** Dollars. */
const payment = z.object({
  /** What was paid. */
  charged: z.number(),
  /** Sent back, or on its way. */
  refunded: z.number(),
  /** The ticket fees on what is left, at the event's present rate. */
  fees: z.number(),
  /** Stripe's fee on what was refunded, where the organizer bears it. */
  refundCosts: z.number(),
  /** What is left for the organizer; null while a bank or an operator decides. */
  kept: z.nullable(z.number()),
  /** Where the organizer bears the costs of refunds: Stripe's fee on the payment, once known, and what counts as refunded. */
  bearsCosts: z.nullable(z.object({ cardFee: z.number(), refunded: z.number() })),
});

const orderTicket = z.object({
  ticketId: z.string(),
  /** In the order, from 1. */
  position: z.int(),
  ticketName: z.string(),
  name: z.nullable(z.string()),
  confirmationNumber: z.string(),
  state: z.enum(guestStates),
  scannedAt: z.nullable(z.string()),
  price: z.number(),
  isTransferred: z.boolean(),
  isRefundable: z.boolean(),
  answers: shownAnswers,
});

export type OrderTicket = z.infer<typeof orderTicket>;

export const orderDetails = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/order',
  access: 'organizer',
  input: z.object({ eventId: z.string(), orderId: z.uuid() }),
  reply: z.object({
    ...listedOrder.shape,
    timezone: z.string(),
    isEventCancelled: z.boolean(),
    /**
     * The version of the event's page that it was made on, and since when the page showed that. Null for an order made before there
     * were versions. `hasChanged`: `/payment/{eventId}/changes` lists what changed since.
     */
    page: z.nullable(z.object({ version: z.int(), since: z.string(), hasChanged: z.boolean() })),
    /** In cart order. */
    lines: z.array(
      z.object({
        ticketName: z.string(),
        quantity: z.int(),
        unitPrice: z.number(),
        /** Per ticket. */
        discount: z.number(),
        promoCode: z.nullable(z.string()),
      }),
    ),
    tickets: z.array(orderTicket),
    /** What was asked once for the order. */
    answers: shownAnswers,
    /** Null in roles that may not see sales, and before the payment. */
    payment: z.nullable(payment),
    refunds: z.array(
      z.object({
        refundId: z.string(),
        /** Of its ticket; null for one of the whole order. */
        position: z.nullable(z.int()),
        amount: z.number(),
        reason: z.enum(refundReasons),
        state: z.enum(refundStates),
        /** Why, in the member's words. */
        note: z.nullable(z.string()),
        at: z.string(),
      }),
    ),
    /** Oldest first. `by`: the device that checked a guest in. */
    timeline: z.array(
      z.object({
        what: z.enum(happenings),
        at: z.string(),
        by: z.nullable(z.string()),
        position: z.nullable(z.int()),
      }),
    ),
    /** To the buyer, oldest first. */
    emails: z.array(z.object({ kind: z.enum(orderEmails), at: z.string() })),
  }),
});

export type OrderDetails = z.infer<(typeof orderDetails)['reply']>;

export const resendOrderToBuyer = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/resend-order',
  access: 'organizer',
  input: z.object({ eventId: z.string(), orderId: z.uuid() }),
  reply: messageReply,
});

export const refundForm = z.object({ reason: refundReason });

/** Whole tickets of one order, all or none of them. */
export const refundTickets = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/refund-tickets',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    ticketIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(ORDER_TICKETS_MAX)),
    /** The buyer reads it. */
    reason: z.optional(refundReason),
  }),
  /** `amount`: dollars that Stripe has taken on; what it refused is left out. */
  reply: z.object({ ...messageReply.shape, refunded: z.int(), amount: z.number() }),
});
