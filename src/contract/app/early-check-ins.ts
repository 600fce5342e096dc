/** Check-ins long before the start, as the buyer sees them. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';
import { EARLY_CHECK_IN_STATES } from '#domain/early-check-in.ts';

const ofLink = z.object({ eventId: z.string(), token: z.string().check(z.maxLength(100)) });

/** Opened by the link in the email about the check-in. The link's token is the authorization. */
export const earlyCheckIn = endpoint({
  method: 'GET',
  path: '/api/public/early-check-in/:eventId/:token',
  access: 'public',
  input: ofLink,
  reply: z.object({
    state: z.enum(EARLY_CHECK_IN_STATES),
    eventTitle: z.string(),
    timezone: z.string(),
    ticketName: z.string(),
    confirmationNumber: z.string(),
    /** Timestamps in UTC. */
    startsAt: z.string(),
    scannedAt: z.string(),
    objectedAt: z.nullable(z.string()),
    endedAt: z.nullable(z.string()),
    /** Until when the ticket can be refunded if its check-in is undone. */
    refundsCloseAt: z.string(),
  }),
});

export type EarlyCheckInPage = z.infer<(typeof earlyCheckIn)['reply']>;

/** Never a GET link, because mail scanners follow links. */
export const objectToCheckIn = endpoint({
  method: 'POST',
  path: '/api/public/object-to-check-in',
  access: 'public',
  input: ofLink,
  reply: messageReply,
});
