/** Files of an event for bookkeeping. The guest list, the statement and the journal have endpoints of their own. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

export const eventFileKinds = ['orders', 'refunds', 'check-ins', 'promo-codes', 'payouts', 'sales'] as const;

export type EventFileKind = (typeof eventFileKinds)[number];

export const eventFile = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/files/:kind',
  access: 'organizer',
  input: z.object({ eventId: z.string(), kind: z.enum(eventFileKinds) }),
  reply: z.string(),
});
