import * as z from 'zod/mini';
import { because } from './form-problem.ts';
import { passwordField } from './password-field.ts';

/** The account's present password, for what a stolen session must not do. */
export const ownPasswordForm = z.object({
  password: passwordField.check(z.minLength(1, because('own-password.missing'))),
});
