import * as z from 'zod/mini';
import { characterCount, EMAIL_MAX } from '#domain/limits.ts';
import './form-errors.ts';

/** ASCII only: look-alike letters would let two accounts appear to share an address. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

/** Reports only the first problem: the others would repeat it. */
export const emailField = z.string().check(z.trim(), (email) => {
  const problem = emailProblem(email.value);
  if (problem) email.issues.push({ code: 'custom', input: email.value, message: problem });
});

function emailProblem(email: string): string | null {
  if (email === '') return 'Email is required.';
  if (characterCount(email) > EMAIL_MAX) return `Email must be ${EMAIL_MAX} characters or less.`;
  return EMAIL.test(email) ? null : 'Email must be a valid email address.';
}
