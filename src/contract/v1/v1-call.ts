/** A call of the public API: an endpoint for programs, with what the reference says about it. */
import * as z from 'zod/mini';
import { type Endpoint, endpoint } from '#contract/endpoint.ts';
import type { Scope } from '#domain/accounts/api-keys.ts';

export interface V1Call<Input extends z.ZodMiniType = z.ZodMiniType, Reply extends z.ZodMiniType = z.ZodMiniType>
  extends Endpoint<Input, Reply, 'key'> {
  readonly path: `/api/v1/${string}`;
  /** Names the call in generated clients. */
  readonly name: string;
  readonly summary: string;
  /** Null: any key may call it. */
  readonly scope: Scope | null;
  /** The codes that this call answers besides those that every call can. */
  readonly errors: readonly string[];
  /** It can name the page version that the change is based on, in `If-Match`. */
  readonly takesIfMatch?: true;
  /** What its example in the reference sends. Words in capitals stand for ids. */
  readonly example?: Readonly<Record<string, unknown>>;
}

export function v1Call<Input extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  call: Omit<V1Call<Input, Reply>, 'access'>,
): V1Call<Input, Reply> {
  return { ...call, ...endpoint({ ...call, access: 'key' }), path: call.path };
}

/** The schemas that the description of the API names. */
export const resources = z.registry<{ id: string }>();

const names = new Set<string>();

/** @param id the schema's name in the description and in generated clients; only one schema has it */
export function resource<Schema extends z.ZodMiniType>(id: string, schema: Schema): Schema {
  if (names.has(id)) throw new Error(`two resources of the API are named ${id}`);
  names.add(id);
  resources.add(schema, { id });
  return schema;
}

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 25;

/** The fields with which every list is read page by page. */
export const pageFields = {
  limit: z
    ._default(z.coerce.number().check(z.multipleOf(1), z.gte(1), z.lte(LIMIT_MAX)), LIMIT_DEFAULT)
    .check(z.describe('How many the page has at most.')),
  after: z.optional(z.string().check(z.maxLength(200))).check(z.describe('`next_cursor` of the page before.')),
};

export const listOf = <Item extends z.ZodMiniType>(id: string, item: Item) =>
  resource(
    id,
    z.object({
      data: z.array(item),
      next_cursor: z.nullable(z.string()).check(z.describe('Null on the last page.')),
    }),
  );

export const instant = () => z.iso.datetime().check(z.describe('An instant in UTC.'));
/** An instant that a program sends. */
export const anyInstant = () => z.iso.datetime({ offset: true });
export const centsToSet = () => z.int().check(z.gte(0));
export const cents = () => z.int().check(z.describe('US cents.'));
