/** The affiliate program: an organizer's code waives another organizer's processing fee. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';
import { codeStates } from '#domain/accounts/affiliate.ts';

/** The organization's codes, newest first. */
export const affiliateCodes = endpoint({
  method: 'GET',
  path: '/api/protected/affiliate-codes',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    codes: z.array(z.object({ code: z.string(), state: z.enum(codeStates), createdAt: z.string() })),
  }),
});

export const generateCode = endpoint({
  method: 'POST',
  path: '/api/protected/generate-code',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});
