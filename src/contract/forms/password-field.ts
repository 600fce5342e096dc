import * as z from 'zod/mini';
import { PASSWORD_MAX } from '#domain/limits.ts';
import { because } from './form-problem.ts';

/** An existing password. Only its length is checked, because it may predate the current rules. */
export const passwordField = z.string().check(z.maxLength(PASSWORD_MAX, because('password.too-long')));
