/** The description of the public API (OpenAPI 3.1), made from the contract. */
import * as z from 'zod/mini';
import { v1Calls } from '#contract/v1/calls.ts';
import type { FieldSchema, Operation } from '#contract/v1/description.ts';
import { resources, type V1Call } from '#contract/v1/v1-call.ts';
import { webhookData } from '#contract/v1/webhooks.ts';
import { scopes } from '#domain/accounts/api-keys.ts';
import type { DeliveredType } from '#domain/accounts/webhooks.ts';
import type { ErrorCode } from '#messages/errors.ts';
import { scopeMeaning } from '#messages/programs/api-keys-page.ts';
import { apiIntroduction, groupMeaning } from '#messages/programs/api-reference.ts';
import { typeNames } from '#messages/programs/webhooks.ts';
import { statusOf } from '#server/platform/http/error-status.ts';

/** The codes that any call can answer. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'auth.invalid-key',
  'auth.scope-missing',
  'form.invalid',
  'rate-limit.exceeded',
  'request.not-json',
  'request.too-large',
  'request.unreadable',
  'server.busy',
  'server.outage',
];

/** The codes of calls that take an idempotency key. */
const REPEAT_ERRORS: readonly ErrorCode[] = ['idempotency.body-differs', 'idempotency.in-progress'];

const ROOT = '/api/v1';

/** Grows with what it offers; `v1` never breaks. */
const VERSION = '1.1.0';

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
    tags: tagsOf(v1Calls).map((name) => ({ name, description: groupMeaning[name] })),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhookData).map(([type, data]) => [type, { post: webhookOf(type, data) }]),
    ),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: apiIntroduction.keys },
      },
      headers: Object.fromEntries(
        Object.entries(apiIntroduction.headers).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      schemas: { ...schemasOfResources(), Error: ERROR },
    },
    'x-scopes': Object.fromEntries(scopes.map((scope) => [scope, scopeMeaning[scope]])),
  };
}

/** `tickets` of `/api/v1/tickets/:ticket_id/check_in`, and `promo_codes` of `/api/v1/events/:event_id/promo_codes`. */
function tagOf({ path }: Pick<V1Call, 'path'>): string {
  const [resource = '', , part = ''] = path.slice(ROOT.length + 1).split('/');
  return part in groupMeaning ? part : resource;
}

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
    'x-curl': curlOf(
      call,
      parameters.filter(({ isRequired, name }) => isRequired && !inPath.has(name)).map(({ name }) => name),
    ),
    parameters: [
      ...parameters.map(({ name, schema, isRequired }) => ({
        name,
        in: inPath.has(name) ? ('path' as const) : ('query' as const),
        required: isRequired || inPath.has(name),
        schema,
      })),
      ...headersToSend(call),
    ],
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
      200: {
        description: apiIntroduction.done,
        headers: { ...LIMIT_HEADERS, ...(takesIdempotencyKey(call) && REPLAYED) },
        content: json(refTo(call.reply)),
      },
      ...errorResponses([...COMMON_ERRORS, ...(takesIdempotencyKey(call) ? REPEAT_ERRORS : []), ...call.errors]),
    },
  };
}

const takesIdempotencyKey = ({ method }: V1Call): boolean => method === 'POST';

function headersToSend(call: V1Call): Operation['parameters'] {
  const { idempotencyKey, ifMatch } = apiIntroduction;
  const header = (name: string, description: string) => ({
    name,
    in: 'header' as const,
    required: false,
    schema: { type: 'string', description },
  });
  return [
    ...(takesIdempotencyKey(call) ? [header('Idempotency-Key', idempotencyKey)] : []),
    ...(call.takesIfMatch ? [header('If-Match', ifMatch)] : []),
  ];
}

const refToHeaders = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const LIMIT_HEADERS = refToHeaders('RateLimit-Policy', 'RateLimit');
const REPLAYED = refToHeaders('Idempotency-Replayed');
/** What endpoints are called with. Signed as Standard Webhooks says. */
const webhookOf = (type: string, data: z.ZodMiniType) => ({
  operationId: `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`,
  summary: typeNames[type as DeliveredType],
  requestBody: {
    required: true,
    content: json({
      type: 'object',
      properties: {
        type: { type: 'string', enum: [type] },
        timestamp: { type: 'string', format: 'date-time' },
        data: refTo(data),
      },
      required: ['type', 'timestamp', 'data'],
    }),
  },
  responses: { 200: { description: apiIntroduction.taken } },
});

/** A response for each status that its codes have. */
function errorResponses(codes: readonly string[]) {
  const byStatus = Map.groupBy([...new Set(codes)].toSorted(), (code) => statusOf(code as ErrorCode));
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      String(status),
      {
        description: own.map((code) => `\`${code}\``).join(', '),
        ...(status !== 401 && { headers: LIMIT_HEADERS }),
        'x-codes': own,
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  );
}

/** Runs in a shell that has the key, and the ids that are named, in variables. */
function curlOf(call: V1Call, inQuery: readonly string[]): string {
  const { method, path, example } = call;
  const query = inQuery.map((name) => `${name}=$${name.toUpperCase()}`).join('&');
  const named = path.replace(/:(\w+)/g, (_, name: string) => `$${name.toUpperCase()}`);
  const address = `"$HANDSTAMP_URL${named}${query && `?${query}`}"`;
  const authorization = '-H "Authorization: Bearer $HANDSTAMP_KEY"';
  if (method === 'GET') return `curl ${authorization} ${address}`;
  return [
    `curl -X ${method} ${address}`,
    authorization,
    ...(takesIdempotencyKey(call) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(example
      ? [
          '-H "Content-Type: application/json"',
          `-d ${quoted(JSON.stringify(example, null, 2).replaceAll('\n', '\n  '))}`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** For a shell, which fills in ids. */
const quoted = (text: string) => `'${text.replace(/\$[A-Z_]+/g, (variable) => `'"${variable}"'`)}'`;

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
  // By name: the registry has them in the order in which their modules were loaded.
  const named = Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    named.map(([id, { $schema: _dialect, $id: _address, ...schema }]) => [id, schema as FieldSchema]),
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
