/** Stripe's v1 body: a form with nested brackets. Values are strings; arrays are written as `[0]` or `[]`. */

import { invalidRequest } from './errors.ts';

/** Unparsed parameters of a body or query. A form's list is an object with the keys 0, 1, 2. */
export type Raw = string | number | boolean | null | Raw[] | RawObject;
export interface RawObject {
  [key: string]: Raw;
}

const MAX_DEPTH = 8;

export function parseForm(text: string): RawObject {
  const root = emptyObject();
  for (const [name, value] of new URLSearchParams(text)) insert(root, keysOf(name), value, name);
  return root;
}

export const isRawObject = (raw: unknown): raw is RawObject =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** `a[b][]` yields a, b and an empty key for the next index. */
function keysOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match) throw invalidRequest(`Invalid parameter name: ${name}`, { param: name });
  const [, first = '', rest = ''] = match;
  const keys = [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, key = '']) => key)];
  if (keys.length > MAX_DEPTH) throw invalidRequest(`Parameter nested too deeply: ${name}`, { param: name });
  return keys;
}

function insert(target: RawObject, keys: string[], value: string, name: string): void {
  const [head = '', ...rest] = keys;
  const key = head === '' ? String(Object.keys(target).length) : head;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key] ?? emptyObject();
  if (!isRawObject(inner))
    throw invalidRequest(`Invalid parameter: ${name} is both a value and a hash`, { param: name });
  target[key] = inner;
  insert(inner, rest, value, name);
}

/** No prototype, so that `__proto__` is an ordinary key. */
function emptyObject(): RawObject {
  const object: RawObject = {};
  Object.setPrototypeOf(object, null);
  return object;
}
