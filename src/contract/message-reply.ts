import * as z from 'zod/mini';

/** A reply with a message only. */
export const messageReply = z.object({ msg: z.string() });
