/** Reads a request's input. Hostile bodies are rejected before any other code sees them. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { AnyEndpoint, InputOf } from '#contract/endpoint.ts';
import { problemOf } from '#messages/forms.ts';
import { AppError } from '#server/platform/app-error.ts';
import { readUpload } from './upload.ts';

/** Far deeper than any form, and far below the depth at which recursion overflows the stack. */
const DEPTH_MAX = 32;

/** Prototype pollution: merging an object with such a key can change every object of the process. */
const DANGEROUS_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Rejects invalid UTF-8 instead of replacing it, which would make different bodies equal. Skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    const value = Buffer.isBuffer(body) ? parse(body) : undefined;
    if (value !== undefined && isSafe(value, 0)) done(null, value);
    else done(new AppError('request.unreadable'));
  });
}

/** The raw input. Path parameters override fields of the body. */
export async function readInput(endpoint: AnyEndpoint, request: FastifyRequest, sender = request.ip) {
  const params = request.params as Record<string, string>;
  if (endpoint.upload) {
    const upload = await readUpload(request, sender);
    return { fields: { ...upload.fields, ...params }, files: upload.files };
  }
  const body = endpoint.method === 'GET' ? request.query : (request.body ?? {});
  const isPlain = typeof body === 'object' && body !== null && !Array.isArray(body);
  return { fields: isPlain ? { ...body, ...params } : body, files: [] };
}

export function parseInput<E extends AnyEndpoint>(endpoint: E, fields: unknown): InputOf<E> {
  if (!isStorable(fields)) throw new AppError('request.unreadable');
  return parseForm(endpoint.input, fields) as InputOf<E>;
}

/** Throws the first problem. `at` is where the form has the value. */
export function parseForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  at: string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const problem = issue && problemOf({ ...issue, path: [...at, ...issue.path] });
  throw new AppError('form.invalid', problem ?? { field: at.join('.'), reason: 'invalid' });
}

/** `undefined` if it isn't JSON. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

function isSafe(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEPTH_MAX) return false;
  for (const [key, inner] of Object.entries(value))
    if (DANGEROUS_KEYS.has(key) || !isSafe(inner, depth + 1)) return false;
  return true;
}

/**
 * Whether PostgreSQL can store every string in the value unchanged. It rejects U+0000, and a lone surrogate either fails or is
 * replaced.
 */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}
