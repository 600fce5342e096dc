/** The description of the public API (OpenAPI 3.1), made from the contract. */
import * as z from 'zod/mini';
import { v1Calls } from '#contract/v1/calls.ts';
import type { FieldSchema, Operation } from '#contract/v1/description.ts';
import { resources, type V1Call } from '#contract/v1/v1-call.ts';
import { scopes } from '#domain/accounts/api-keys.ts';
import type { ErrorCode } from '#messages/errors.ts';
import { scopeMeaning } from '#messages/programs/api-keys.ts';
import { apiIntroduction } from '#messages/programs/api-reference.ts';
import { statusOf } from '#server/platform/http/error-status.ts';

/** The codes that any call can answer. */
const COMMON_ERRORS = [
  'auth.invalid-key',
  'auth.scope-missing',
  'form.invalid',
  'rate-limit.exceeded',
  'request.not-json',
  'request.too-large',
  'request.unreadable',
  'server.busy',
  'server.outage',
] as const satisfies readonly ErrorCode[];

const ROOT = '/api/v1';

/** Grows with what it offers; `v1` never breaks. */
const VERSION = '1.0.0';

export function apiDocument(publicUrl: string) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const call of v1Calls) {
    const path = call.path.slice(ROOT.length).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Handstamp API',
      version: VERSION,
      summary: apiIntroduction.summary,
      description: apiIntroduction.description,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}${ROOT}` }],
    security: [{ apiKey: [] }],
    tags: tagsOf(v1Calls).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: apiIntroduction.keys },
      },
      schemas: { ...schemasOfResources(), Error: ERROR },
    },
    'x-scopes': Object.fromEntries(scopes.map((scope) => [scope, scopeMeaning[scope]])),
  };
}

/** `tickets` of `/api/v1/tickets/:ticket_id/check_in`. */
const tagOf = ({ path }: Pick<V1Call, 'path'>): string => path.slice(ROOT.length + 1).split('/')[0] ?? '';

const tagsOf = (calls: readonly V1Call[]) => [...new Set(calls.map(tagOf))];

function operationOf(call: V1Call): Operation {
  const { properties = {}, required = [] } = schemaOf(call.input);
  const inPath = new Set([...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }));
  const inBody = call.method === 'GET' ? [] : fields.filter(({ name }) => !inPath.has(name));
  const parameters = fields.filter((field) => !inBody.includes(field));
  return {
    operationId: call.name,
    tags: [tagOf(call)],
    summary: call.summary,
    ...(call.scope && { 'x-scope': call.scope }),
    'x-curl': curlOf(call),
    parameters: parameters.map(({ name, schema, isRequired }) => ({
      name,
      in: inPath.has(name) ? ('path' as const) : ('query' as const),
      required: isRequired || inPath.has(name),
      schema,
    })),
    ...(inBody.length > 0 && {
      requestBody: {
        required: inBody.some(({ isRequired }) => isRequired),
        content: json({
          type: 'object',
          properties: Object.fromEntries(inBody.map(({ name, schema }) => [name, schema])),
          required: inBody.filter(({ isRequired }) => isRequired).map(({ name }) => name),
          additionalProperties: false,
        }),
      },
    }),
    responses: {
      200: { description: apiIntroduction.done, content: json(refTo(call.reply)) },
      ...errorResponses([...COMMON_ERRORS, ...call.errors]),
    },
  };
}

/** A response for each status that its codes have. */
function errorResponses(codes: readonly string[]) {
  const byStatus = Map.groupBy([...new Set(codes)].toSorted(), (code) => statusOf(code as ErrorCode));
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      String(status),
      {
        description: own.map((code) => `\`${code}\``).join(', '),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  );
}

/** Runs in a shell that has the key, and the ids that the path names, in variables. */
function curlOf({ method, path }: V1Call): string {
  const address = `$HANDSTAMP_URL${path.replace(/:(\w+)/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H "Authorization: Bearer $HANDSTAMP_KEY"',
    `"${address}"`,
  ].join(' ');
}

const json = (schema: FieldSchema) => ({ 'application/json': { schema } });

function refTo(schema: z.ZodMiniType): FieldSchema {
  const named = resources.get(schema);
  if (!named) throw new Error('a reply of the API has no name');
  return { $ref: uriOf(named.id) };
}

const uriOf = (id: string) => `#/components/schemas/${id}`;

/** Without the keys that only a document of its own has, and open for fields to come. */
function schemasOfResources(): Record<string, FieldSchema> {
  const { schemas } = z.toJSONSchema(resources, {
    uri: uriOf,
    io: 'output',
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      shorten(jsonSchema);
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _address, ...schema }]) => [id, schema as FieldSchema]),
  );
}

function schemaOf(input: z.ZodMiniType): FieldSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => shorten(jsonSchema),
  });
  return schema as FieldSchema;
}

/** A format says what its pattern does, and every integer of JavaScript has these bounds. */
function shorten(schema: Pick<z.core.JSONSchema.BaseSchema, 'format' | 'pattern' | 'minimum' | 'maximum'>): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

const ERROR = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', description: apiIntroduction.code },
        message: { type: 'string', description: apiIntroduction.message },
        params: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
      },
      required: ['code', 'message', 'params'],
      additionalProperties: false,
    },
    request_id: { type: 'string', description: apiIntroduction.requestId },
  },
  required: ['error', 'request_id'],
  additionalProperties: false,
};
