/** What programs change of events. The rules are those of the screens: the use cases apply them. */
import * as z from 'zod/mini';
import { event } from './events.ts';
import { newTicketType } from './ticket-types.ts';
import { anyInstant, v1Call } from './v1-call.ts';

const place = {
  name: z.optional(z.nullable(z.string())),
  street: z.string(),
  city: z.string(),
  state: z.string().check(z.describe('Two letters.')),
  postal_code: z.string(),
  latitude: z.optional(z.number()).check(z.describe('Without it and `longitude`, the address is looked up.')),
  longitude: z.optional(z.number()),
};

const always = {
  title: z.string(),
  description: z.string().check(z.describe('Can have `**bold**`, `*italics*`, links and lists.')),
  time_zone: z.string().check(z.describe('An IANA time zone, in which the event takes place.')),
  starts_at: anyInstant(),
  ends_at: anyInstant(),
};

const none = (what: string) => z.describe(`Null for ${what}.`);

const sometimes = {
  subtitle: z.optional(z.nullable(z.string())),
  is_listed: z.optional(z.boolean()),
  max_per_order: z.optional(z.nullable(z.int())).check(none('as many as an order can have')),
  sales_start_at: z.optional(z.nullable(anyInstant())).check(none('the moment in which it is published')),
  buyers_per_minute: z
    .optional(z.nullable(z.int()))
    .check(z.describe('Of a waiting room, which needs `sales_start_at`. Null for none.')),
  check_in_opens_at: z.optional(z.nullable(anyInstant())).check(none('any time')),
  check_in_closes_at: z.optional(z.nullable(anyInstant())).check(none('any time')),
};

const writeErrors = ['address.not-found', 'auth.email-unverified', 'org.suspended'] as const;

export const createEvent = v1Call({
  method: 'POST',
  path: '/api/v1/events',
  name: 'createEvent',
  summary: "Makes a draft, which buyers don't see until it is published",
  scope: 'events:write',
  input: z.strictObject({
    ...always,
    ...sometimes,
    venue: z.strictObject(place),
    ticket_types: z.array(newTicketType).check(z.describe('At least one, in the order of the page.')),
  }),
  reply: event,
  errors: [...writeErrors, 'auth.key-of-chosen-events', 'event.too-many-drafts', 'onboarding.incomplete'],
  example: {
    title: 'Basement Brass',
    description: 'Six horns in a cellar.',
    time_zone: 'America/New_York',
    starts_at: '2031-06-14T20:00:00-04:00',
    ends_at: '2031-06-14T23:00:00-04:00',
    venue: { street: '38 Withers St', city: 'Brooklyn', state: 'NY', postal_code: '11211' },
    ticket_types: [{ name: 'General admission', description: 'Standing room', price_cents: 2400, capacity: 100 }],
  },
});

export const updateEvent = v1Call({
  method: 'PATCH',
  path: '/api/v1/events/:event_id',
  name: 'updateEvent',
  summary: 'Changes the fields that are sent. Another date or venue is emailed to those who have tickets',
  scope: 'events:write',
  takesIfMatch: true,
  input: z.strictObject({
    event_id: z.string(),
    ...z.partial(z.object(always)).shape,
    ...sometimes,
    venue: z.optional(z.strictObject(z.partial(z.object(place)).shape)),
  }),
  reply: event,
  errors: [
    ...writeErrors,
    'edit.changed-too-often',
    'edit.end-in-past',
    'edit.event-cancelled',
    'edit.event-paid-out',
    'edit.moved-too-often',
    'edit.sales-started',
    'event.not-found',
    'event.too-many-active-events',
    'event.version-changed',
  ],
  example: { subtitle: 'Late show' },
});

export const publishEvent = v1Call({
  method: 'POST',
  path: '/api/v1/events/:event_id/publish',
  name: 'publishEvent',
  summary: 'Puts a draft on sale. A published event stays as it is',
  scope: 'events:write',
  input: z.strictObject({ event_id: z.string() }),
  reply: event,
  errors: [
    'auth.email-unverified',
    'edit.event-cancelled',
    'edit.event-paid-out',
    'event.not-found',
    'event.start-in-past',
    'event.too-many-active',
    'onboarding.incomplete',
    'org.suspended',
  ],
});
