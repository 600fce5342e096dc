/** Default messages for schemas without their own. Importing this file sets them globally. */
import * as z from 'zod/mini';

z.config({
  customError: (issue) => {
    const field = issue.path?.findLast((step) => typeof step === 'string') ?? 'This request';
    if (issue.code === 'invalid_type' && issue.input === undefined) return `${field} is required.`;
    if (issue.code === 'invalid_type') return `${field} must be ${article(issue.expected)}.`;
    if (issue.code === 'too_big') return `${field} is too long or too large.`;
    if (issue.code === 'too_small') return `${field} is too short or too small.`;
    return `${field} is not valid.`;
  },
});

function article(expected: string): string {
  const name = { string: 'text', int: 'whole number', record: 'object' }[expected] ?? expected;
  if (name === 'text') return name;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
