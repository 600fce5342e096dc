/** Who uses which ticket of an order: its buyer changes it on the order's page. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { guestName } from '#contract/forms/guest-details.ts';
import { messageReply } from '#contract/message-reply.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';

export const nameTickets = endpoint({
  method: 'POST',
  path: '/api/public/name-tickets',
  access: 'public',
  input: z.object({
    token: z.string().check(z.maxLength(200)),
    names: z.array(z.object({ position: z.int(), name: guestName })).check(z.maxLength(ORDER_TICKETS_MAX)),
  }),
  reply: messageReply,
});
