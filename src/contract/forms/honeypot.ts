/** A hidden field that only bots fill in. */
import * as z from 'zod/mini';

export const honeypot = z.optional(z.string());
