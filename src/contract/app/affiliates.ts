/** The affiliate program: an organizer's code waives another organizer's processing fee. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';

export const generateCode = endpoint({
  method: 'POST',
  path: '/api/protected/generate-code',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});
