/** Parses JSON bodies and rejects hostile ones before any other code sees them. */
import type { FastifyInstance } from 'fastify';
import { unreadableBody } from '#contract/messages/requests.ts';
import { invalid } from '#server/platform/app-error.ts';

/** Far deeper than any form, and far below the depth at which a recursive function overflows the stack. */
const DEPTH_MAX = 32;

/** Prototype pollution: merging an object with such a key can change every object of the process. */
const DANGEROUS_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Rejects invalid UTF-8 instead of replacing it, which would make different bodies equal. Skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseSafely(body),
  );
}

function parseSafely(bytes: Buffer): unknown {
  const value = parse(bytes);
  if (!isSafe(value)) throw invalid(unreadableBody);
  return value;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalid(unreadableBody);
  }
}

/** Iterative rather than recursive, because the depth is under the sender's control. */
function isSafe(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return false;
    const objects = level.filter((object) => typeof object === 'object' && object !== null);
    if (objects.some((object) => Object.keys(object).some((key) => DANGEROUS_KEYS.has(key)))) return false;
    level = objects.flatMap((object): unknown[] => Object.values(object));
  }
  return true;
}
