/** The waiting room in front of a sale: getting a place, and what everyone in it reads. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

const ROOM = '/api/public/event/:eventId/waiting-room';

/** Repeated requests return the same pass until its turn has passed. */
export const joinWaitingRoom = endpoint({
  method: 'POST',
  path: ROOM,
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    /** Counted from 1. Null before the start: all who are there by then are drawn in random order. */
    position: z.nullable(z.number()),
  }),
});

/**
 * A sale with a declared start: the same answer for everybody. With it and a place, a browser knows how many are before it,
 * and when its turn is.
 */
export const waitingRoom = endpoint({
  method: 'GET',
  path: ROOM,
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    salesStartAt: z.string(),
    /**
     * From `since` on, the places after `before` are called, so many a minute. Oldest first; the first counts from the start.
     * Empty while no pass waits for its turn.
     */
    rates: z.array(z.object({ before: z.number(), since: z.string(), perMinute: z.number() })),
    /** The last pass number that was issued. */
    lastPass: z.number(),
    /** Nothing is left at the moment; an unpaid checkout may still give tickets back. */
    isSoldOut: z.boolean(),
    /** The product's clock, for browsers whose own is wrong. */
    now: z.string(),
  }),
});

export type WaitingRoom = z.infer<(typeof waitingRoom)['reply']>;

export { roomNotOpen, turnErrors } from '#contract/messages/waiting-room.ts';

export const noWaitingRoom = 'This event has no waiting room.';
export const startHasPassed =
  "People have already bought tickets in the waiting room, so you can't move the start of sales.";
