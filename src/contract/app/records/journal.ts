/** The accounting journal of an event. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** Every ledger entry of an event, with a footer that proves the file. For an accountant. */
export const journalFile = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/files/journal.csv',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.string(),
});
