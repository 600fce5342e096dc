/** Brakes: what an operator stops, why, and the way back. The owner is emailed the reason. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';
import { noteForm } from './action-items.ts';
import { brake } from './events.ts';

const foundEvent = z.object({
  eventId: z.string(),
  title: z.string(),
  /** UTC. */
  startsAt: z.string(),
  timezone: z.string(),
  organization: z.nullable(z.string()),
  salesStopped: z.nullable(brake),
  payoutsHeld: z.nullable(brake),
});

export type FoundEvent = z.infer<typeof foundEvent>;

const foundOrganization = z.object({
  organizationId: z.string(),
  name: z.nullable(z.string()),
  ownerEmail: z.string(),
  suspended: z.nullable(brake),
});

export type FoundOrganization = z.infer<typeof foundOrganization>;

export const orderStates = ['reserved', 'expired', 'paid', 'unfulfillable', 'needs-review'] as const;

const foundOrder = z.object({
  orderId: z.string(),
  eventId: z.string(),
  title: z.string(),
  organization: z.nullable(z.string()),
  /** Null before the payment, and once the buyer's data is deleted. */
  buyerEmail: z.nullable(z.string()),
  state: z.enum(orderStates),
  cents: z.int(),
  /** UTC. */
  createdAt: z.string(),
  /** The payment in Stripe's dashboard, if there is one. */
  stripeUrl: z.nullable(z.string()),
});

export type FoundOrder = z.infer<typeof foundOrder>;

/** Longer than any email address. */
const QUERY_MAX = 254;

/**
 * Events and organizations by ID, by Stripe's ID of a transfer or an account, or by a part of a title, of an organization's name or of its
 * owner's address. Orders by ID, by the whole address of the buyer, or by Stripe's ID of a payment, session, refund or dispute. Without a
 * query, all that is stopped.
 */
export const adminSearch = endpoint({
  method: 'GET',
  path: '/api/protected/admin/search',
  access: 'admin',
  input: z.object({ q: z.optional(z.string().check(z.trim(), z.maxLength(QUERY_MAX))) }),
  /** The first of each; the totals count all. */
  reply: z.object({
    organizations: z.array(foundOrganization),
    totalOrganizations: z.number(),
    /** The latest first. */
    events: z.array(foundEvent),
    totalEvents: z.number(),
    /** The newest first. */
    orders: z.array(foundOrder),
    totalOrders: z.number(),
  }),
});

const eventBrake = z.object({ eventId: z.string(), ...noteForm.shape });

export const stopSales = endpoint({
  method: 'POST',
  path: '/api/protected/admin/stop-sales',
  access: 'admin',
  input: eventBrake,
  reply: messageReply,
});

export const resumeSales = endpoint({
  method: 'POST',
  path: '/api/protected/admin/resume-sales',
  access: 'admin',
  input: eventBrake,
  reply: messageReply,
});

export const holdPayout = endpoint({
  method: 'POST',
  path: '/api/protected/admin/hold-payout',
  access: 'admin',
  input: eventBrake,
  reply: messageReply,
});

export const releasePayout = endpoint({
  method: 'POST',
  path: '/api/protected/admin/release-payout',
  access: 'admin',
  input: eventBrake,
  reply: messageReply,
});

const organizationBrake = z.object({ organizationId: z.uuid(), ...noteForm.shape });

/** Answers once the last event of the organization has stopped selling. */
export const suspendOrganization = endpoint({
  method: 'POST',
  path: '/api/protected/admin/suspend',
  access: 'admin',
  input: organizationBrake,
  reply: messageReply,
});

export const resumeOrganization = endpoint({
  method: 'POST',
  path: '/api/protected/admin/resume',
  access: 'admin',
  input: organizationBrake,
  reply: messageReply,
});
