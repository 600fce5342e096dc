/** The affiliate program: an organizer's code waives another organizer's processing fee. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/messages/requests.ts';
import type { CodeDenial } from '#domain/affiliate.ts';

export const generateCode = endpoint({
  method: 'POST',
  path: '/api/protected/generate-code',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});

export const codeGenerated = 'Code Generated';

export const codeErrors: Record<CodeDenial, string> = {
  'unused-code': "Your last code hasn't been used yet.",
  'too-few-tokens': 'You have no tokens left. You earn one each time an event pays out.',
};
