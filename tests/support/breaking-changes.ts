/**
 * Finds what a new description of the API takes from programs that were written for an earlier one. Requests may become wider and
 * answers richer, never the other way around.
 */
import { isDeepStrictEqual } from 'node:util';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Call {
  readonly operationId: string;
  readonly 'x-scope'?: string | undefined;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { readonly required?: unknown; readonly content: Content } | undefined;
  readonly responses: Readonly<
    Record<string, { readonly 'x-codes'?: readonly string[] | undefined; readonly content?: Content }>
  >;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** @returns a sentence for each change that breaks a program, none if all programs keep working */
export function breakingChanges(before: Description, after: Description): string[] {
  const compare = schemaComparison(before, after);
  return callsOf(before).flatMap(({ name, call, path, method }) => {
    const later = after.paths[path]?.[method];
    if (!later) return [`${name} is gone`];
    const found = [
      ...nameChanges(call, later),
      ...inputChanges(call, later, compare),
      ...answerChanges(call, later, compare),
    ];
    return found.map((change) => `${name}: ${change}`);
  });
}

const callsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ name: `${method.toUpperCase()} ${path}`, call, path, method })),
  );

/** Generated clients have methods of that name; keys have the scope. */
function nameChanges(before: Call, after: Call): string[] {
  const scope = after['x-scope'];
  return [
    ...(before.operationId === after.operationId ? [] : [`${before.operationId} is renamed`]),
    ...(scope === undefined || scope === before['x-scope'] ? [] : [`it needs the scope ${scope}`]),
  ];
}

type Direction = 'input' | 'answer';
type Compare = (before: Schema, after: Schema, at: string, direction: Direction) => string[];

function inputChanges(before: Call, after: Call, compare: Compare): string[] {
  const { parameters: earlier = [] } = before;
  const { parameters: later = [] } = after;
  const isIn = (all: typeof earlier, one: (typeof earlier)[number]) =>
    all.find((other) => other.name === one.name && other.in === one.in);
  const body = Object.entries(before.requestBody?.content ?? {});
  return [
    ...earlier.flatMap((parameter) => {
      const now = isIn(later, parameter);
      if (!now) return [`${parameter.name} is gone`];
      return [
        ...(now.required && !parameter.required ? [`${parameter.name} is required`] : []),
        ...compare(parameter.schema, now.schema, parameter.name, 'input'),
      ];
    }),
    ...later.flatMap((parameter) =>
      parameter.required && !isIn(earlier, parameter) ? [`${parameter.name} is new and required`] : [],
    ),
    ...(after.requestBody?.required && !before.requestBody?.required ? ['a body is required'] : []),
    ...body.flatMap(([type, { schema }]) => {
      const now = after.requestBody?.content[type];
      return now ? compare(schema, now.schema, 'body', 'input') : [`a body of ${type} is not accepted`];
    }),
  ];
}

function answerChanges(before: Call, after: Call, compare: Compare): string[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    const now = after.responses[status];
    if (!now) return [`the status ${status} is gone`];
    const codes = now['x-codes'] ?? [];
    return [
      ...(response['x-codes'] ?? []).flatMap((code) =>
        codes.includes(code) ? [] : [`${status}: the code ${code} is gone`],
      ),
      ...Object.entries(response.content ?? {}).flatMap(([type, { schema }]) => {
        const later = now.content?.[type];
        return later ? compare(schema, later.schema, status, 'answer') : [`${status}: ${type} is gone`];
      }),
    ];
  });
}

function schemaComparison(before: Description, after: Description): Compare {
  /** A schema that contains itself is compared once. */
  const compared = new Set<string>();

  return function compare(earlier, later, at, direction) {
    const pair = `${earlier.$ref} ${later.$ref} ${direction}`;
    if (earlier.$ref && later.$ref) {
      if (compared.has(pair)) return [];
      compared.add(pair);
    }
    const was = alternativesOf(before, earlier);
    const is = alternativesOf(after, later);
    const added = is.filter(({ type }) => !was.some((other) => other.type === type));
    const found = was.flatMap((one) => {
      const matches = is.filter(({ type }) => type === one.type || (direction === 'input' && type === undefined));
      const changes = matches.map((other) => changesOf(one, other, at, direction, compare));
      const isNeverNull = direction === 'answer' && one.type === 'null';
      if (matches.length === 0) return isNeverNull ? [] : [`${at} is no longer ${typeName(one)}`];
      return changes.toSorted((a, b) => a.length - b.length)[0] ?? [];
    });
    compared.delete(pair);
    return direction === 'input' ? found : [...found, ...added.map((one) => `${at} can be ${typeName(one)}`)];
  };
}

/** One schema per type, with references resolved: what is nullable has two. */
function alternativesOf(description: Description, schema: Schema): Schema[] {
  if (schema.$ref) {
    const named = description.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named ? alternativesOf(description, named) : [];
  }
  const { anyOf, oneOf, type, ...rest } = schema;
  if (rest['allOf']) throw new Error('the comparison of descriptions does not know allOf');
  const parts = anyOf ?? oneOf;
  if (parts) return parts.flatMap((part) => alternativesOf(description, part));
  return Array.isArray(type) ? type.map((one: string) => ({ ...rest, type: one })) : [schema];
}

const typeName = ({ type }: Schema) => String(type ?? 'of any type');

/** Compared by rules of their own, or by none. */
const RULED = ['type', 'enum', 'properties', 'required', 'additionalProperties', 'items'];
const SAYS_NOTHING = ['title', 'description', 'examples', 'deprecated'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

function changesOf(before: Schema, after: Schema, at: string, direction: Direction, compare: Compare): string[] {
  return [
    ...fieldChanges(before, after, at, direction, compare),
    ...enumChanges(before, after, at, direction),
    ...(before.items ? compare(before.items, after.items ?? {}, `${at}[]`, direction) : []),
    ...boundChanges(before, after, at, direction),
  ];
}

function fieldChanges(before: Schema, after: Schema, at: string, direction: Direction, compare: Compare): string[] {
  const { properties: earlier = {}, required: always = [], additionalProperties: others = true } = before;
  const { properties: later = {}, required = [], additionalProperties = true } = after;
  const [guaranteed, claimed] = direction === 'input' ? [required, always] : [always, required];
  const verb = direction === 'input' ? 'is required' : 'can be absent';
  return [
    ...Object.entries(earlier).flatMap(([name, schema]) => {
      const now = later[name];
      return now ? compare(schema, now, `${at}.${name}`, direction) : [`${at}.${name} is gone`];
    }),
    ...guaranteed
      .filter((name) => !claimed.includes(name) && (direction === 'input' || name in later))
      .map((name) => `${at}.${name} ${verb}`),
    ...otherFieldChanges(others, additionalProperties, at, direction, compare),
  ];
}

/** Answers can get fields at any time, so only those of a map count. */
function otherFieldChanges(
  before: boolean | Schema,
  after: boolean | Schema,
  at: string,
  direction: Direction,
  compare: Compare,
): string[] {
  if (typeof before === 'object')
    return typeof after === 'object' ? compare(before, after, `${at}.*`, direction) : [`${at} has other fields`];
  return direction === 'input' && before && after !== true ? [`${at} accepts fewer fields`] : [];
}

/** Answers can get values at any time. */
function enumChanges({ enum: before }: Schema, { enum: after }: Schema, at: string, direction: Direction): string[] {
  if (!before) return after && direction === 'input' ? [`${at} accepts fewer values`] : [];
  if (!after) return direction === 'answer' ? [`${at} can be any value`] : [];
  return before.filter((value) => !after.includes(value)).map((value) => `${at} is never ${String(value)}`);
}

function boundChanges(before: Schema, after: Schema, at: string, direction: Direction): string[] {
  const allowed = direction === 'input' ? 'looser' : 'tighter';
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keywords].flatMap((keyword) => {
    const [was, is] = [before[keyword], after[keyword]];
    if (RULED.includes(keyword) || SAYS_NOTHING.includes(keyword) || isDeepStrictEqual(was, is)) return [];
    return tightness(keyword, was, is) === allowed ? [] : [`${at} has another ${keyword}`];
  });
}

function tightness(keyword: string, was: unknown, is: unknown): 'tighter' | 'looser' | 'other' {
  if (was === undefined) return 'tighter';
  if (is === undefined) return 'looser';
  if (typeof was !== 'number' || typeof is !== 'number') return 'other';
  if (UPPER_BOUNDS.includes(keyword)) return is < was ? 'tighter' : 'looser';
  if (LOWER_BOUNDS.includes(keyword)) return is > was ? 'tighter' : 'looser';
  return 'other';
}
