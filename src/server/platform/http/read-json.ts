/** Reads JSON bodies. What no form of ours ever sends is refused here, before anything looks at what it says. */
import type { FastifyInstance } from 'fastify';
import { unreadableBody } from '#contract/sentences.ts';
import { invalid } from '#server/platform/app-error.ts';

/** Far deeper than any form, and far from the depth at which a function that calls itself runs out of stack. */
const DEPTH_MAX = 32;

/** Whoever merges an object that has one of these into another changes every object of the process. */
const POISONOUS = new Set(['__proto__', 'constructor', 'prototype']);

/** Wrong bytes are refused: put right, two different bodies would say the same. A byte order mark is skipped. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    jsonIn(body),
  );
}

function jsonIn(bytes: Buffer): unknown {
  const value = parsed(bytes);
  if (!isHarmless(value)) throw invalid(unreadableBody);
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalid(unreadableBody);
  }
}

/** Level by level, not by calling itself: the body decides how deep it is. */
function isHarmless(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return false;
    const objects = level.filter((one) => typeof one === 'object' && one !== null);
    if (objects.some((one) => Object.keys(one).some((key) => POISONOUS.has(key)))) return false;
    level = objects.flatMap((one): unknown[] => Object.values(one));
  }
  return true;
}
