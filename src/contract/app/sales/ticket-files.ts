/** Tickets of an order as files, by the link to its page. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

const orderToken = z.string().check(z.maxLength(200));

/** All tickets that can be scanned, one on a page. */
export const ticketsPdf = endpoint({
  method: 'GET',
  path: '/api/public/tickets.pdf',
  access: 'public',
  input: z.object({ token: orderToken }),
  reply: z.string(),
});

/** A ticket for Apple Wallet. Found only if the operator has its keys. */
export const applePass = endpoint({
  method: 'GET',
  path: '/api/public/ticket.pkpass',
  access: 'public',
  input: z.object({
    token: orderToken,
    /** Position in the order, from 1. */
    ticket: z.coerce.number(),
  }),
  reply: z.string(),
});
