import { CallError } from '#web/api.ts';

/** The field of the form that the server named in its denial, if any. */
export function fieldFrom(error: unknown): string | undefined {
  const body = error instanceof CallError ? error.body : null;
  if (typeof body !== 'object' || body === null || !('params' in body)) return undefined;
  const { params } = body;
  if (typeof params !== 'object' || params === null || !('field' in params)) return undefined;
  return typeof params.field === 'string' ? params.field : undefined;
}
