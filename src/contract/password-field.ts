import * as z from 'zod/mini';
import { PASSWORD_MAX } from '#domain/limits.ts';

/** A password that somebody has: nothing is said about how it is made, for it may be older than the rules. */
export const passwordField = z
  .string()
  .check(z.maxLength(PASSWORD_MAX, `Password must be ${PASSWORD_MAX} characters or less.`));
