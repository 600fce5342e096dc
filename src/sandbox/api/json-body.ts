/** Parses the JSON body of a call to `/_sandbox/*`. */

import * as z from 'zod';
import { invalidRequest } from './errors.ts';

export function parseJsonBody<T>(schema: z.ZodType<T>, body: unknown): T {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    throw invalidRequest('The body must be JSON.');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(z.prettifyError(result.error));
}
