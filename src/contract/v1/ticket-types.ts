/** Ticket types, as programs read and change them. */
import * as z from 'zod/mini';
import { ACCESS_KINDS } from '#domain/sales/access.ts';
import { anyInstant, cents, centsToSet, instant, resource, v1Call } from './v1-call.ts';

/** Fields that are read and set alike. */
const settings = {
  has_named_price: z.boolean().check(z.describe('Buyers name the price, which is at least `price_cents`.')),
  is_hidden: z.boolean().check(z.describe('Shown only with a promo code that unlocks it.')),
  access: z.nullable(z.enum(ACCESS_KINDS)).check(z.describe('For people who need access, alone or with a companion.')),
  is_add_on: z.boolean().check(z.describe("Handed out at the door; doesn't admit.")),
  max_per_order: z.nullable(z.int()),
  min_per_order: z.int(),
};

const ticketType = resource(
  'TicketType',
  z.object({
    id: z.string(),
    event_id: z.string(),
    name: z.string(),
    description: z.string(),
    price_cents: cents().check(z.describe('US cents. The least, if buyers name their price.')),
    suggested_price_cents: z.nullable(cents()),
    capacity: z.int(),
    sold: z.int(),
    opens_after_id: z.nullable(z.string()).check(z.describe('The ticket type that has to sell out first.')),
    sales_from: z.nullable(instant()),
    sales_until: z.nullable(instant()),
    ...settings,
  }),
);

const always = {
  name: z.string(),
  description: z.string(),
  price_cents: centsToSet().check(z.describe('US cents. 0 for free tickets.')),
  capacity: z.int(),
};

const sometimes = {
  suggested_price_cents: z.optional(z.nullable(centsToSet())),
  opens_after: z
    .optional(z.nullable(z.string()))
    .check(z.describe('The id or the name of the ticket type that has to sell out first.')),
  sales_from: z.optional(z.nullable(anyInstant())),
  sales_until: z.optional(z.nullable(anyInstant())),
  ...z.partial(z.object(settings)).shape,
};

export const newTicketType = z.strictObject({ ...always, ...sometimes });

export const listTicketTypes = v1Call({
  method: 'GET',
  path: '/api/v1/events/:event_id/ticket_types',
  name: 'listTicketTypes',
  summary: "An event's ticket types, in the order of its page",
  scope: 'events:read',
  input: z.strictObject({ event_id: z.string() }),
  reply: resource('TicketTypeList', z.object({ data: z.array(ticketType) })),
  errors: ['event.not-found'],
});

export const editErrors = [
  'edit.changed-too-often',
  'edit.event-cancelled',
  'edit.event-paid-out',
  'event.not-found',
  'org.suspended',
] as const;

export const createTicketType = v1Call({
  method: 'POST',
  path: '/api/v1/events/:event_id/ticket_types',
  name: 'createTicketType',
  summary: 'Adds a ticket type, the last of the page',
  scope: 'events:write',
  input: z.strictObject({ event_id: z.string(), ...always, ...sometimes }),
  reply: ticketType,
  errors: [...editErrors, 'onboarding.incomplete'],
  example: { name: 'Gallery', description: 'Seated', price_cents: 3850, capacity: 10 },
});

export const updateTicketType = v1Call({
  method: 'PATCH',
  path: '/api/v1/events/:event_id/ticket_types/:ticket_type_id',
  name: 'updateTicketType',
  summary: 'Changes the fields that are sent. Tickets that are sold keep their price',
  scope: 'events:write',
  input: z.strictObject({
    event_id: z.string(),
    ticket_type_id: z.string(),
    ...z.partial(z.object(always)).shape,
    ...sometimes,
  }),
  reply: ticketType,
  errors: [
    ...editErrors,
    'edit.add-on-sold',
    'edit.quantity-below-sold',
    'onboarding.incomplete',
    'ticket-type.not-found',
  ],
  example: { capacity: 120 },
});
