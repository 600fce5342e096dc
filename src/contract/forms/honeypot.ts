/** A field that people never see. A program that fills every field gives itself away. */
import * as z from 'zod/mini';

export const honeypot = z.optional(z.string());
