import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { doorNote } from '#contract/forms/door-note.ts';
import { messageReply } from '#contract/message-reply.ts';

/** What the door should know about the guest of a ticket. Blank removes it. */
export const editDoorNote = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/tickets/:ticketId',
  access: 'organizer',
  input: z.object({ eventId: z.string(), ticketId: z.uuid(), doorNote }),
  reply: messageReply,
});
