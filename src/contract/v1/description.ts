/** The API's description: an OpenAPI document. Named here is what the reference shows of it. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** Of a field or an answer. */
export interface FieldSchema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly string[];
  anyOf?: readonly FieldSchema[];
  items?: FieldSchema;
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | FieldSchema;
}

const fieldSchema = z.custom<FieldSchema>();
const content = z.record(z.string(), z.object({ schema: fieldSchema }));

const operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  /** The scope that a key needs. */
  'x-scope': z.optional(z.string()),
  /** A command for a shell. */
  'x-curl': z.string(),
  parameters: z.array(
    z.looseObject({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      schema: fieldSchema,
    }),
  ),
  requestBody: z.optional(z.looseObject({ content })),
  responses: z.record(
    z.string(),
    z.looseObject({
      description: z.string(),
      /** Of errors. */
      'x-codes': z.optional(z.array(z.string())),
      content,
    }),
  ),
});

export type Operation = z.infer<typeof operation>;

export const apiDescription = endpoint({
  method: 'GET',
  path: '/api/v1/openapi.json',
  access: 'public',
  input: z.object({}),
  reply: z.looseObject({
    info: z.looseObject({ title: z.string(), version: z.string(), summary: z.string(), description: z.string() }),
    servers: z.array(z.object({ url: z.string() })),
    tags: z.array(z.object({ name: z.string() })),
    /** By path, then by method. */
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({ schemas: z.record(z.string(), fieldSchema) }),
    'x-scopes': z.record(z.string(), z.string()),
  }),
});
