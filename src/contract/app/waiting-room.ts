/** The waiting room of a sale: joining it and polling it. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

const ROOM = '/api/public/event/:eventId/waiting-room';

/** Idempotent: returns the same position until its turn has passed. */
export const joinWaitingRoom = endpoint({
  method: 'POST',
  path: ROOM,
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    /** Counted from 1. Null before the start, when a draw assigns the positions. */
    position: z.nullable(z.number()),
    /** Which arrival the pass is, from which the draw makes the position. */
    arrival: z.number(),
    /** When the pass comes up again; null unless it came up while its page was closed. */
    returnsAt: z.nullable(z.string()),
  }),
});

/** How the draw can be verified: arrival `before` + n, for n up to `size`, gets position `before` + shuffled n. */
const publicDraw = z.object({
  /** SHA-256 of the key, known before sales start. Both are in hexadecimal. */
  hash: z.string(),
  /** Null until every drawn pass has come up. */
  key: z.nullable(z.string()),
  /** The last arrival that was voided by a moved start. */
  before: z.number(),
  /** Null until the draw. */
  size: z.nullable(z.number()),
});

export type PublicDraw = z.infer<typeof publicDraw>;

/**
 * State of a scheduled sale, the same for every buyer. From it and its own position, a browser computes its rank and
 * turn.
 */
export const waitingRoom = endpoint({
  method: 'GET',
  path: ROOM,
  access: 'public',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    salesStartAt: z.string(),
    /**
     * From `since` on, the positions after `before` are called, `perMinute` of them a minute. Oldest first; the first rate
     * begins at the start of sales. Empty while no position waits for its turn.
     */
    rates: z.array(z.object({ before: z.number(), since: z.string(), perMinute: z.number() })),
    /** The highest position issued. */
    lastPass: z.number(),
    /** Since when sales are paused: no position is called. Null while they are open. */
    pausedAt: z.nullable(z.string()),
    /** Nothing is available now. Unpaid checkouts may still release tickets. */
    isSoldOut: z.boolean(),
    /** Null without a waiting room. */
    draw: z.nullable(publicDraw),
    /** The server's clock, to correct for a wrong browser clock. */
    now: z.string(),
  }),
});

export type WaitingRoom = z.infer<(typeof waitingRoom)['reply']>;
