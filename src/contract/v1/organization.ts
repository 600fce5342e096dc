import * as z from 'zod/mini';
import { resource, v1Call } from './v1-call.ts';

const organization = resource(
  'Organization',
  z.object({
    id: z.string(),
    name: z.nullable(z.string()),
    page_url: z.nullable(z.url()).check(z.describe('Its public page, once it has one.')),
    key: z
      .object({
        id: z.string(),
        name: z.string(),
        scopes: z.array(z.string()),
        event_ids: z.nullable(z.array(z.string())),
      })
      .check(z.describe('The key of this request. `event_ids` is null if the key reaches all events.')),
  }),
);

export const readOrganization = v1Call({
  method: 'GET',
  path: '/api/v1/organization',
  name: 'readOrganization',
  summary: 'The organization that the key belongs to',
  scope: null,
  input: z.strictObject({}),
  reply: organization,
  errors: [],
});
