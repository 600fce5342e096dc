/** What programs rely on in the API stays: the contract is compared with the last release's. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '#server/main/api/api-document.ts';
import { breakingChanges, type Description } from '#tests/support/breaking-changes.ts';

/** `node scripts/api-document.mjs --release` writes it. */
const RELEASED = new URL('../../docs/openapi.released.json', import.meta.url);

const ticket = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    state: { type: 'string', enum: ['valid', 'scanned'] },
    price_cents: { type: 'integer' },
    issued_at: { type: 'string', format: 'date-time' },
    holder: { anyOf: [{ $ref: '#/components/schemas/Holder' }, { type: 'null' }] },
    notes: { type: 'array', items: { type: 'string' } },
    params: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  },
  required: ['id', 'state', 'price_cents', 'issued_at', 'holder', 'notes', 'params'],
};
const body = {
  type: 'object',
  properties: {
    gate: { type: 'string', enum: ['north', 'south'], maxLength: 20 },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
  },
  required: ['gate'],
  additionalProperties: false,
};
const released: Description = {
  paths: {
    '/tickets/{id}': {
      post: {
        operationId: 'admit',
        'x-scope': 'check_ins:write',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
        ],
        requestBody: { required: false, content: { 'application/json': { schema: body } } },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Ticket' } } } },
          409: { 'x-codes': ['already-in', 'closed'] },
        },
      },
    },
  },
  components: {
    schemas: {
      Ticket: ticket,
      Holder: {
        type: 'object',
        properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Holder' } },
        required: ['name'],
      },
    },
  },
};

const call = ['paths', '/tickets/{id}', 'post'];
const input = [...call, 'requestBody', 'content', 'application/json', 'schema'];
const answer = ['components', 'schemas', 'Ticket'];

/** The released description with another value at one place. @param value undefined removes it */
function changed(place: readonly string[], value: unknown): Description {
  const after = structuredClone(released);
  const parent = place.slice(0, -1).reduce<object>((at, name) => Reflect.get(at, name) as object, after);
  const name = place.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent, name);
  else Reflect.set(parent, name, value);
  return after;
}

describe('A change of the API', () => {
  it.each<[string, readonly string[], unknown, string]>([
    ['a call', call, undefined, 'is gone'],
    ['its name', [...call, 'operationId'], 'let_in', 'admit is renamed'],
    ['its scope', [...call, 'x-scope'], 'tickets:write', 'it needs the scope tickets:write'],
    ['a parameter', [...call, 'parameters', '1'], { name: 'max', in: 'query', schema: {} }, 'limit is gone'],
    ['a lower maximum', [...call, 'parameters', '1', 'schema', 'maximum'], 50, 'limit has another maximum'],
    ['a parameter that becomes required', [...call, 'parameters', '1', 'required'], true, 'limit is required'],
    [
      'a new required parameter',
      [...call, 'parameters', '2'],
      { name: 'gate', in: 'query', required: true, schema: {} },
      'gate is new and required',
    ],
    ['a body that becomes required', [...call, 'requestBody', 'required'], true, 'a body is required'],
    ['a body', [...call, 'requestBody'], undefined, 'a body of application/json is not accepted'],
    ['a new required field', [...input, 'required'], ['gate', 'count'], 'body.count is required'],
    ['a field of the body', [...input, 'properties', 'count'], undefined, 'body.count is gone'],
    ['its type', [...input, 'properties', 'count', 'type'], 'string', 'body.count is no longer integer'],
    ['its least value', [...input, 'properties', 'count', 'minimum'], 2, 'body.count has another minimum'],
    ['its default', [...input, 'properties', 'count', 'default'], 2, 'body.count has another default'],
    ['a pattern', [...input, 'properties', 'gate', 'pattern'], '^[a-z]+$', 'body.gate has another pattern'],
    ['a value of the body', [...input, 'properties', 'gate', 'enum'], ['north'], 'body.gate is never south'],
    ['a first list of values', [...input, 'properties', 'count', 'enum'], [1], 'body.count accepts fewer values'],
    ['a status', [...call, 'responses', '409'], undefined, 'the status 409 is gone'],
    ['an error code', [...call, 'responses', '409', 'x-codes'], ['closed'], '409: the code already-in is gone'],
    ['a field of the answer', [...answer, 'properties', 'id'], undefined, '200.id is gone'],
    ['a field that can be absent', [...answer, 'required'], ticket.required.slice(1), '200.id can be absent'],
    ['a field that can be null', [...answer, 'properties', 'id', 'type'], ['string', 'null'], '200.id can be null'],
    ['its type', [...answer, 'properties', 'price_cents', 'type'], 'number', '200.price_cents is no longer integer'],
    ['its format', [...answer, 'properties', 'issued_at', 'format'], 'date', '200.issued_at has another format'],
    ['a value of the answer', [...answer, 'properties', 'state', 'enum'], ['valid'], '200.state is never scanned'],
    ['any value', [...answer, 'properties', 'state', 'enum'], undefined, '200.state can be any value'],
    ['items', [...answer, 'properties', 'notes', 'items', 'type'], 'null', '200.notes[] is no longer string'],
    ['a map', [...answer, 'properties', 'params', 'additionalProperties'], false, '200.params has other fields'],
    [
      'a field within another',
      ['components', 'schemas', 'Holder', 'properties', 'name'],
      undefined,
      '200.holder.name is gone',
    ],
  ])('breaks programs by %s', (_case, place, value, change) => {
    const found = breakingChanges(released, changed(place, value));

    const name = 'POST /tickets/{id}';
    expect(found).toContain(change === 'is gone' ? `${name} is gone` : `${name}: ${change}`);
  });

  it.each<[string, readonly string[], unknown]>([
    ['a new call', ['paths', '/gates'], { get: released.paths['/tickets/{id}']?.['post'] }],
    ['a new parameter', [...call, 'parameters', '2'], { name: 'gate', in: 'query', schema: {} }],
    ['a higher maximum', [...call, 'parameters', '1', 'schema', 'maximum'], 200],
    ['a new field of the body', [...input, 'properties', 'note'], { type: 'string' }],
    ['a field of the body that need not be sent', [...input, 'required'], []],
    ['a new value of the body', [...input, 'properties', 'gate', 'enum'], ['north', 'south', 'east']],
    ['a type more for the body', [...input, 'properties', 'count', 'type'], ['integer', 'null']],
    ['a limit less', [...input, 'properties', 'gate', 'maxLength'], undefined],
    ['a new field of the answer', [...answer, 'properties', 'gate'], { type: 'string' }],
    ['a new value of the answer', [...answer, 'properties', 'state', 'enum'], ['valid', 'scanned', 'void']],
    [
      'a field that is never null any more',
      [...answer, 'properties', 'holder'],
      { $ref: '#/components/schemas/Holder' },
    ],
    ['a new error code', [...call, 'responses', '409', 'x-codes'], ['already-in', 'closed', 'void']],
    ['a new status', [...call, 'responses', '410'], { 'x-codes': ['ended'] }],
    ['a scope less', [...call, 'x-scope'], undefined],
    ['a description', [...answer, 'properties', 'id', 'description'], 'Never changes.'],
  ])('breaks no program by %s', (_case, place, value) => {
    expect(breakingChanges(released, changed(place, value))).toEqual([]);
  });
});

describe('The contract', () => {
  it('breaks nothing that the last release has [API-9]', () => {
    const last = JSON.parse(readFileSync(RELEASED, 'utf8')) as Description;
    const now = structuredClone<unknown>(apiDocument('https://tickets.example')) as Description;
    const { required: _always, ...rest } = last.components.schemas['Ticket'] ?? {};
    const weaker = { ...last.components.schemas, Ticket: rest };

    expect(breakingChanges(last, now)).toEqual([]);
    expect(breakingChanges(last, { ...last, components: { schemas: weaker } })).not.toEqual([]);
  });
});
