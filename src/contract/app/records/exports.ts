/** Downloads of personal data. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** Asks for the password before a download starts, because a download can't ask. */
export const prepareExport = endpoint({
  method: 'POST',
  path: '/api/protected/prepare-export',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({}),
});
