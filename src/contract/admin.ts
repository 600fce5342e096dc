/** The operator's view. Every figure is checked on the server; the page's own knowledge opens nothing. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const adminOverview = endpoint({
  method: 'GET',
  path: '/api/protected/admin/overview',
  access: 'admin',
  input: z.object({}),
  reply: z.object({
    organizers: z.number(),
    activeEvents: z.number(),
    ticketsSold: z.number(),
    /** Dollars. */
    gross: z.number(),
    /** Work that is late or has been given up: zero everywhere is health. */
    stuck: z.object({
      heldOrders: z.number(),
      notices: z.number(),
      mails: z.number(),
      refunds: z.number(),
      payouts: z.number(),
      jobs: z.number(),
    }),
    /** Cents by which the books do not sum to zero. */
    ledgerDifferenceCents: z.number(),
  }),
});

export const adminsOnly = 'This is for admins only.';
export const welcomeAdmin = 'Welcome Admin!';
