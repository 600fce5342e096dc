/** What an event asks its buyers, and what its page said when. */
import * as z from 'zod/mini';
import { cents, instant, listOf, pageFields, resource, v1Call } from './v1-call.ts';
import { venue } from './venue.ts';

const kinds = ['short_text', 'long_text', 'one_of', 'any_of', 'yes_no', 'date', 'access'] as const;

const question = resource(
  'Question',
  z.object({
    id: z.string(),
    label: z.string(),
    help: z.string(),
    kind: z.enum(kinds).check(z.describe('`access`: what a guest needs to get in and around.')),
    options: z.array(z.string()).check(z.describe('Of `one_of` and `any_of`.')),
    is_required: z.boolean(),
    asked_once_per: z.enum(['ticket', 'order']),
    ticket_type_ids: z.nullable(z.array(z.string())).check(z.describe('Null: asked about all types.')),
    is_shown_at_door: z.boolean(),
    delete_after_days: z.int().check(z.describe("After the event's end.")),
  }),
);

export const listQuestions = v1Call({
  method: 'GET',
  path: '/api/v1/events/:event_id/questions',
  name: 'listQuestions',
  summary: 'What an event asks its buyers, in order',
  scope: 'events:read',
  input: z.strictObject({ event_id: z.string() }),
  reply: resource(
    'QuestionList',
    z.object({ asks_names: z.enum(['off', 'optional', 'required']), data: z.array(question) }),
  ),
  errors: ['event.not-found'],
});

const version = resource(
  'PageVersion',
  z.object({
    event_id: z.string(),
    version: z.int().check(z.describe("The event's `page_version` meanwhile.")),
    changed_at: instant(),
    is_listed: z.boolean().check(z.describe('Buyers find it under *Changes*.')),
    title: z.string(),
    subtitle: z.nullable(z.string()),
    description: z.string(),
    starts_at: instant(),
    ends_at: instant(),
    time_zone: z.string(),
    venue,
    ticket_types: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        price_cents: cents(),
        has_named_price: z.boolean(),
        is_add_on: z.boolean(),
      }),
    ),
  }),
);

export const listVersions = v1Call({
  method: 'GET',
  path: '/api/v1/events/:event_id/versions',
  name: 'listVersions',
  summary: "What an event's page showed, from its first version on",
  scope: 'events:read',
  input: z.strictObject({ event_id: z.string(), ...pageFields }),
  reply: listOf('PageVersionList', version),
  errors: ['event.not-found', 'input.invalid-cursor'],
});
