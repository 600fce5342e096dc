/**
 * Parses call parameters as strictly as Stripe, which rejects unknown, missing and malformed ones.
 * A reader takes the raw value (undefined when absent) and the parameter's full name.
 */

import { emptyParameter, invalidRequest, missingParameter, unknownParameter } from './errors.ts';
import { isRawObject, type Raw, type RawObject } from './form-body.ts';

export type ParamReader<T> = (raw: Raw | undefined, name: string) => T;
type Shape = Record<string, ParamReader<unknown>>;
type Values<S extends Shape> = { [K in keyof S]: S[K] extends ParamReader<infer T> ? T : never };

export const text: ParamReader<string> = (raw, name) => {
  const value = required(raw, name);
  if (typeof value === 'object') throw invalidRequest(`Invalid string: ${JSON.stringify(value)}`, { param: name });
  return String(value);
};

export const shortText =
  (limit: number): ParamReader<string> =>
  (raw, name) => {
    const value = text(raw, name);
    if (value.length <= limit) return value;
    throw invalidRequest(`Invalid string: must be at most ${limit} characters`, {
      code: 'parameter_invalid_string',
      param: name,
    });
  };

export const integer: ParamReader<number> = (raw, name) => {
  const value = text(raw, name);
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalidRequest(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name });
};

export const atLeast =
  (min: number): ParamReader<number> =>
  (raw, name) => {
    const value = integer(raw, name);
    if (value >= min) return value;
    throw invalidRequest(`This value must be greater than or equal to ${min}.`, {
      code: 'parameter_invalid_integer',
      param: name,
    });
  };

export const boolean: ParamReader<boolean> = (raw, name) => {
  const value = text(raw, name);
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidRequest(`Invalid boolean: ${value}`, { param: name });
};

export const oneOf =
  <const T extends string>(...allowed: T[]): ParamReader<T> =>
  (raw, name) => {
    const value = text(raw, name);
    const found = allowed.find((option) => option === value);
    if (found !== undefined) return found;
    throw invalidRequest(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
  };

export const url: ParamReader<string> = (raw, name) => {
  const value = text(raw, name);
  if (URL.canParse(value) && /^https?:/i.test(value)) return value;
  throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: name });
};

export const usd: ParamReader<'usd'> = (raw, name) => {
  if (text(raw, name).toLowerCase() === 'usd') return 'usd';
  throw invalidRequest(`Invalid currency: ${String(raw)}. The sandbox only supports usd.`, { param: name });
};

export const optional =
  <T>(reader: ParamReader<T>): ParamReader<T | undefined> =>
  (raw, name) =>
    raw === undefined ? undefined : reader(raw, name);

export const list =
  <T>(reader: ParamReader<T>, maxLength = 100): ParamReader<T[]> =>
  (raw, name) => {
    const value = required(raw, name);
    const items = Array.isArray(value) ? value : isRawObject(value) ? Object.values(value) : null;
    if (!items) throw invalidRequest('Invalid array', { param: name });
    if (items.length > maxLength)
      throw invalidRequest(`Array too long: at most ${maxLength} elements`, { param: name });
    return items.map((item, index) => reader(item, `${name}[${index}]`));
  };

export const object =
  <S extends Shape>(shape: S): ParamReader<Values<S>> =>
  (raw, name) => {
    const value = required(raw, name);
    if (!isRawObject(value)) throw invalidRequest('Invalid hash', { param: name });
    return read(shape, value, name);
  };

/** Up to 50 keys of 40 characters, with values of 500. An empty value removes its key. */
export const metadata: ParamReader<Record<string, string>> = (raw, name) => {
  if (raw === undefined || raw === '') return {};
  if (!isRawObject(raw)) throw invalidRequest('Invalid metadata: must be a hash', { param: name });
  const entries = Object.entries(raw).map(([key, value]): [string, string] => [key, metadataValue(value, name, key)]);
  if (entries.length > 50) throw invalidRequest('Metadata can have at most 50 keys', { param: name });
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
};

/** Merges into the existing metadata. An empty value removes its key. */
export const metadataUpdate: ParamReader<(before: Record<string, string>) => Record<string, string>> = (raw, name) => {
  const changes = metadata(raw, name);
  const removed = isRawObject(raw) ? Object.keys(raw).filter((key) => raw[key] === '' || raw[key] === null) : [];
  return (before) => {
    if (raw === '') return {};
    const after = { ...before, ...changes };
    return Object.fromEntries(Object.entries(after).filter(([key]) => !removed.includes(key)));
  };
};

/** A documented parameter that has no effect here. */
export const ignored: ParamReader<undefined> = () => undefined;

export function parameters<S extends Shape>(shape: S): (raw: RawObject) => Values<S> {
  return (raw) => read(shape, raw, '');
}

function read<S extends Shape>(shape: S, raw: RawObject, prefix: string): Values<S> {
  const named = (key: string) => (prefix ? `${prefix}[${key}]` : key);
  for (const key of Object.keys(raw)) if (!Object.hasOwn(shape, key)) throw unknownParameter(named(key));
  // `fromEntries` loses the keys; there is one value per key of the shape.
  return Object.fromEntries(
    Object.entries(shape).map(([key, reader]) => [key, reader(raw[key], named(key))]),
  ) as Values<S>;
}

function required(raw: Raw | undefined, name: string): NonNullable<Raw> {
  if (raw === undefined || raw === null) throw missingParameter(name);
  if (raw === '') throw emptyParameter(name);
  return raw;
}

function metadataValue(raw: Raw, name: string, key: string): string {
  if (raw === null) return '';
  if (typeof raw === 'object') throw invalidRequest(`Invalid metadata value for ${key}`, { param: `${name}[${key}]` });
  if (key.length > 40 || String(raw).length > 500) {
    throw invalidRequest('Metadata keys have at most 40 and values at most 500 characters', {
      param: `${name}[${key}]`,
    });
  }
  return String(raw);
}
