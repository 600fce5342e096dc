import * as z from 'zod/mini';
import { characterCount, EMAIL_MAX } from '#domain/limits.ts';
import { because, type FormReason } from './form-problem.ts';

/** ASCII only: look-alike letters would let two accounts appear to share an address. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

/** Reports only the first problem: the others would repeat it. */
export const emailField = z.string().check(z.trim(), (email) => {
  const problem = emailProblem(email.value);
  if (problem) email.issues.push({ code: 'custom', input: email.value, message: because(problem) });
});

function emailProblem(email: string): FormReason | null {
  if (email === '') return 'email.missing';
  if (characterCount(email) > EMAIL_MAX) return 'email.too-long';
  return EMAIL.test(email) ? null : 'email.invalid';
}
