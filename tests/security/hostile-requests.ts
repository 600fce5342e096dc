/** Hostile requests for an endpoint's fields: each is valid except for one thing. */
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Field, fieldsOf } from '#tests/support/fields-of.ts';
import type { RawRequest } from '#tests/support/raw-request.ts';
import { addressOf, bodyOf, formRequest, type Input, jsonRequest, namesInPath } from '#tests/support/send-sample.ts';
import { type HostileValue, hostileTexts, hostileValues, MARK } from './hostile-values.ts';

interface Hostile {
  what: string;
  request: () => RawRequest | Promise<RawRequest>;
  /** Expected status, where only one is correct. */
  expected?: number | undefined;
}

export function hostileRequests(endpoint: AnyEndpoint, input: Input): Hostile[] {
  const fields = fieldsOf(endpoint.input);
  const inPath = (field: Field) => namesInPath(endpoint).includes(nameOf(field));
  const inAddress = (field: Field) => endpoint.method === 'GET' || inPath(field);
  const needed = fields.filter((field) => !field.isOptional && !inPath(field) && typeof field.path.at(-1) === 'string');
  return [
    ...(endpoint.method === 'GET' || endpoint.upload ? [] : otherBodies(endpoint, input)),
    ...fields.filter(inAddress).flatMap((field) => inAddressOf(endpoint, input, field)),
    ...fields.filter((field) => !inAddress(field)).flatMap((field) => inBodyOf(endpoint, input, field)),
    ...needed.map((field) => without(endpoint, input, field)),
    ...needed.filter(({ path }) => path.length === 1).map((field) => twice(endpoint, input, field)),
  ];
}

/** A body that is not an object has no fields. A null body counts as empty, because some clients send it. */
function otherBodies(endpoint: AnyEndpoint, input: Input): Hostile[] {
  return ['[]', '[{}]', `"${MARK}"`, '7', 'true', 'null'].map((body) => ({
    what: `${body} as the body`,
    request: () => jsonRequest(endpoint, input, body),
    expected: body === 'null' ? undefined : endpoint.access === 'attendant' ? 401 : 400,
  }));
}

const nameOf = ({ path: [name] }: Field) => String(name);
const written = ({ path }: Field) => path.join('.');

function inAddressOf(endpoint: AnyEndpoint, input: Input, field: Field): Hostile[] {
  return hostileTexts.map(({ name, encoded, refusedAs }) => ({
    what: `${written(field)}: ${name}`,
    request: () => ({
      ...jsonRequest(endpoint, input),
      path: addressOf(endpoint, input, { [written(field)]: encoded }),
    }),
    expected: refusedAs,
  }));
}

function inBodyOf(endpoint: AnyEndpoint, input: Input, field: Field): Hostile[] {
  const values = endpoint.upload ? hostileValues.filter(({ kind }) => kind === 'string') : hostileValues;
  return values.map((value) => ({
    what: `${written(field)}: ${value.name}`,
    request: () =>
      endpoint.upload
        ? formRequest(endpoint, [[nameOf(field), JSON.parse(value.json)]])
        : jsonRequest(endpoint, input, bodyWith(endpoint, input, field, value.json)),
    expected: endpoint.upload ? undefined : expectedOf(endpoint, field, value),
  }));
}

function expectedOf(endpoint: AnyEndpoint, field: Field, { kind, json, always }: HostileValue): number | undefined {
  if (always === 413) return always;
  if (always !== undefined) return kind === 'string' ? rejectionStatus(endpoint, field) : always;
  return json === '1e309' || !field.takes.has(kind) ? rejectionStatus(endpoint, field) : undefined;
}

/** Grants are per event, so a request without a valid event has no grant. */
const rejectionStatus = ({ access }: AnyEndpoint, field: Field) =>
  access === 'attendant' && nameOf(field) === 'eventId' ? 401 : 400;

function without(endpoint: AnyEndpoint, input: Input, field: Field): Hostile {
  const rest = Object(leftOut(input, field.path));
  return {
    what: `without ${written(field)}`,
    request: () => (endpoint.upload ? formRequest(endpoint, []) : jsonRequest(endpoint, rest)),
    expected: rejectionStatus(endpoint, field),
  };
}

/** A duplicate query parameter is ambiguous, so it is rejected; in a JSON object the last duplicate counts. */
function twice(endpoint: AnyEndpoint, input: Input, field: Field): Hostile {
  const name = nameOf(field);
  const wrong = field.takes.has('object') ? '7' : '{}';
  const again = () => JSON.stringify(bodyOf(endpoint, input)).replace(/\}$/, () => `,"${name}":${wrong}}`);
  const both: [string, string][] = [
    [name, String(input[name])],
    [name, MARK],
  ];
  return {
    what: `two of ${name}`,
    request() {
      if (endpoint.upload) return formRequest(endpoint, both);
      if (endpoint.method !== 'GET') return jsonRequest(endpoint, input, again());
      return { method: 'GET', path: `${addressOf(endpoint, input)}&${name}=${MARK}` };
    },
    // The form's last value counts. As the only other field, it is not an event.
    expected: endpoint.upload && name === 'eventId' ? 404 : rejectionStatus(endpoint, field),
  };
}

const PLACEHOLDER = '"placeholder for the hostile value"';

/** The body as text, with `json` in place of one field: some values cannot come from JSON.stringify. */
function bodyWith(endpoint: AnyEndpoint, input: Input, field: Field, json: string): string {
  const body = Object(replaced(input, field.path, JSON.parse(PLACEHOLDER)));
  return JSON.stringify(bodyOf(endpoint, body)).replace(PLACEHOLDER, () => json);
}

type Step = string | number;

function replaced(value: unknown, [step, ...rest]: Step[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  if (typeof value !== 'object' || value === null) throw new Error('the valid request omits the parent of a field');
  const inner = Object.fromEntries(Object.entries(value));
  return { ...inner, [step]: replaced(inner[step], rest, by) };
}

/** JSON.stringify drops undefined values. */
const leftOut = (input: Input, path: Step[]) => JSON.parse(JSON.stringify(replaced(input, path, undefined)));
