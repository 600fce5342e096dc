/** Guests at no charge, for the event's organizer. */
import * as z from 'zod/mini';
import { guestStates } from '#contract/app/guests.ts';
import { endpoint } from '#contract/endpoint.ts';
import { doorNote } from '#contract/forms/door-note.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { because } from '#contract/forms/form-problem.ts';
import { guestName } from '#contract/forms/guest-details.ts';
import { messageReply } from '#contract/message-reply.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';

const compQuantity = z
  .int(because('quantity.not-whole'))
  .check(z.gte(1, because('quantity.too-small')), z.lte(ORDER_TICKETS_MAX, because('too-large')));

/** Without an address, the organizer gives the guest their tickets. */
const guestToAdd = z
  .object({
    ticketId: z.string(),
    quantity: compQuantity,
    email: z.optional(emailField),
    name: z.optional(guestName),
    doorNote: z.optional(doorNote),
  })
  .check(z.refine(({ email, name }) => Boolean(email ?? name), because('guest.missing')));

/** Emails their tickets to the guests who have an address. Adds all guests, or none if there are too few tickets. */
export const addComps = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/guests',
  access: 'organizer',
  isLarge: true,
  input: z.object({
    eventId: z.string(),
    /** The same id adds the guests once. */
    compsId: z.uuid(),
    guests: z.array(guestToAdd).check(z.minLength(1, because('guest.missing'))),
    /** Makes room first, of ticket types and of the capacities that they share. */
    raisesQuantity: z.optional(z.boolean()),
  }),
  reply: messageReply,
});

const comp = z.object({
  ticketId: z.string(),
  /** Null for a guest who was added by name. */
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  doorNote: z.nullable(z.string()),
  confirmationNumber: z.string(),
  ticketName: z.string(),
  state: z.enum(guestStates),
});

export type OwnComp = z.infer<typeof comp>;

/** Newest first. */
export const comps = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/comps',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    /** The ticket id of the previous page's last comp. */
    after: z.optional(z.uuid()),
  }),
  reply: z.object({
    title: z.string(),
    /** Why none can be added. */
    denial: z.nullable(z.enum(['event-cancelled', 'event-paid-out', 'event-ended'])),
    types: z.array(z.object({ ticketId: z.string(), ticketName: z.string(), available: z.int() })),
    /** Comps whose guests can come, or came. */
    count: z.int(),
    /** The tickets of an import are still being issued. */
    isImporting: z.boolean(),
    comps: z.array(comp),
    compsNext: z.nullable(z.string()),
  }),
});

export type EventComps = z.infer<(typeof comps)['reply']>;

/** Ends a comp and returns its stock. Its guest is emailed, if they have an address. */
export const withdrawComp = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/tickets/:ticketId/withdraw',
  access: 'organizer',
  input: z.object({ eventId: z.string(), ticketId: z.string() }),
  reply: messageReply,
});
