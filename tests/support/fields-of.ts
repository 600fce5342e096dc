/** The fields of an endpoint's input, read from its schema: the path of each, and its JSON types. */
import type * as z from 'zod/mini';

export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export interface Field {
  /** Keys and indexes, such as `['tickets', 0, 'ticketName']`. */
  path: (string | number)[];
  takes: ReadonlySet<Kind>;
  isOptional: boolean;
}

/** Internal definitions of the schema types that the contract uses. */
type Def =
  | { type: 'object'; shape: Record<string, z.ZodMiniType> }
  | { type: 'array'; element: z.ZodMiniType }
  | { type: 'optional' | 'nullable'; innerType: z.ZodMiniType }
  | { type: 'pipe'; in: z.ZodMiniType }
  | { type: 'union'; options: z.ZodMiniType[] }
  | { type: 'intersection'; left: z.ZodMiniType; right: z.ZodMiniType }
  /** Its keys are data: what they stand for is checked where they are used. */
  | { type: 'record' }
  | { type: 'literal'; values: unknown[] }
  | { type: 'string' | 'enum' | 'number' | 'int' | 'boolean' };

export function fieldsOf(schema: z.ZodMiniType, path: (string | number)[] = []): Field[] {
  const def = defOf(schema);
  if (def.type === 'intersection') return [...fieldsOf(def.left, path), ...fieldsOf(def.right, path)];
  const own = path.length === 0 ? [] : [{ path, takes: new Set(kindsOf(schema)), isOptional: def.type === 'optional' }];
  return [...own, ...inside(def, path)];
}

function inside(def: Def, path: (string | number)[]): Field[] {
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, schema]) => fieldsOf(schema, [...path, name]));
  if (def.type === 'array') return fieldsOf(def.element, [...path, 0]);
  if (def.type === 'optional' || def.type === 'nullable') return inside(defOf(def.innerType), path);
  return def.type === 'pipe' ? inside(defOf(def.in), path) : [];
}

function kindsOf(schema: z.ZodMiniType): Kind[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
    case 'array':
    case 'string':
    case 'boolean':
    case 'number':
      return [def.type];
    case 'int':
      return ['number'];
    case 'record':
      return ['object'];
    case 'enum':
      return ['string'];
    case 'literal':
      return def.values.map(kindOf);
    case 'optional':
      return kindsOf(def.innerType);
    case 'nullable':
      return ['null', ...kindsOf(def.innerType)];
    case 'pipe':
      return kindsOf(def.in);
    case 'union':
      return def.options.flatMap(kindsOf);
    case 'intersection':
      return kindsOf(def.left);
  }
}

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const kind = typeof value;
  if (kind === 'boolean' || kind === 'number' || kind === 'string' || kind === 'object') return kind;
  throw new Error(`${kind} is not a JSON type`);
}

const KNOWN =
  'object array optional nullable pipe union intersection record literal string enum number int boolean'.split(' ');

/** Throws for an unknown schema type, which would otherwise go untested. */
function defOf(schema: z.ZodMiniType): Def {
  const def = schema._zod.def;
  if (!KNOWN.includes(def.type)) throw new Error(`fields-of.ts does not know the schema type ${def.type}`);
  return def as unknown as Def;
}
