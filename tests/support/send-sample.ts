/** Sends the valid request of an endpoint, with its fields in the URL, a JSON body or a form. */
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Sample, smallPhoto } from './call-samples.ts';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-request.ts';

export type Input = Record<string, unknown>;

export const inputOf = ({ input }: Sample): Input =>
  typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {};

export const namesInPath = ({ path }: AnyEndpoint) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** The URL, with `encoded` values in place of its fields. */
export function addressOf(endpoint: AnyEndpoint, input: Input, encoded: Record<string, string> = {}): string {
  const asSent = (name: string) => encoded[name] ?? encodeURIComponent(String(input[name]));
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) => asSent(name));
  if (endpoint.method !== 'GET') return path;
  const query = Object.keys(input).filter((name) => !namesInPath(endpoint).includes(name));
  return query.length === 0 ? path : `${path}?${query.map((name) => `${name}=${asSent(name)}`).join('&')}`;
}

/** The body without fields that belong to the URL. */
export function bodyOf(endpoint: AnyEndpoint, input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !namesInPath(endpoint).includes(name)));
}

/** Sends with these headers, such as another user's cookies. */
export async function sendInput(
  origin: string,
  endpoint: AnyEndpoint,
  input: Input,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const fields = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]);
  const request = endpoint.upload ? await formRequest(endpoint, fields) : jsonRequest(endpoint, input);
  return rawRequest(origin, { ...request, headers: { ...request.headers, ...headers } });
}

export function jsonRequest(endpoint: AnyEndpoint, input: Input, body?: string): RawRequest {
  const path = addressOf(endpoint, input);
  if (endpoint.method === 'GET') return { method: 'GET', path };
  const headers = { 'content-type': 'application/json' };
  return { method: endpoint.method, path, headers, body: body ?? JSON.stringify(bodyOf(endpoint, input)) };
}

/** A form with a photo, as a browser sends it. */
export async function formRequest(endpoint: AnyEndpoint, fields: [name: string, value: string][]): Promise<RawRequest> {
  const form = new FormData();
  for (const [field, value] of fields) form.append(field, value);
  form.append('images', new Blob([await smallPhoto()]), 'photo.png');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  const path = addressOf(endpoint, Object.fromEntries(fields));
  return { method: endpoint.method, path, headers, body: Buffer.from(await encoded.arrayBuffer()) };
}

export const cookieHeader = (cookies: Iterable<readonly [string, string]>) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});
