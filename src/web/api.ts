/** Calls the server; the contract defines path, method and types. */
import type * as z from 'zod/mini';
import type { AnyEndpoint, Endpoint } from '#contract/endpoint.ts';
import { CallError, codeFrom } from './call-error.ts';
import { cookie } from './cookies.ts';

export { CallError, codeFrom, messageFrom } from './call-error.ts';

interface CallOptions {
  signal?: AbortSignal;
}

/** Asks for the password and calls again if the server wants to know that the account's owner is calling. */
export async function call<Input extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  endpoint: Endpoint<Input, Reply>,
  input: z.infer<Input>,
  options: CallOptions = {},
): Promise<z.infer<Reply>> {
  try {
    return await send(endpoint, input, options);
  } catch (error) {
    if (codeFrom(error) === 'auth.factor-required' && location.pathname !== FACTOR_SET_UP)
      location.assign(FACTOR_SET_UP);
    if (codeFrom(error) !== 'auth.reauthentication-required' || !(await reauthenticate())) throw error;
    return send(endpoint, input, options);
  }
}

const FACTOR_SET_UP = '/organization/security';

let reauthenticate: () => Promise<boolean> = async () => false;

/** `ask` resolves to whether the person entered the password. */
export function onReauthenticationRequired(ask: typeof reauthenticate): void {
  reauthenticate = ask;
}

async function send<Input extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  endpoint: Endpoint<Input, Reply>,
  input: z.infer<Input>,
  options: CallOptions,
): Promise<z.infer<Reply>> {
  const { url, rest } = addressOf(endpoint, fieldsOf(input));
  const hasBody = endpoint.method !== 'GET';
  const response = await fetch(url, {
    method: endpoint.method,
    credentials: 'same-origin',
    // Skips the HTTP cache, which may serve a reply that is seconds old.
    cache: 'no-cache',
    headers: { ...csrfHeader(), ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { body: JSON.stringify(rest) } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  }).catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause;
    throw new CallError(0);
  });
  return replyOf(endpoint.reply, response.status, bodyOf(await response.text(), response.headers.get('content-type')));
}

/** Uploads files with the input, reporting progress (0 to 1). XHR, because fetch has no upload progress. */
export function upload<Input extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  endpoint: Endpoint<Input, Reply>,
  input: z.infer<Input>,
  files: { [field: string]: readonly File[] },
  onProgress: (share: number) => void = () => {},
  options: { signal?: AbortSignal } = {},
): Promise<z.infer<Reply>> {
  const { url, rest } = addressOf(endpoint, fieldsOf(input));
  const body = new FormData();
  // Fields first: the server needs the event before the first byte of a photo.
  for (const [name, value] of Object.entries(rest)) body.append(name, String(value));
  for (const [field, list] of Object.entries(files)) for (const file of list) body.append(field, file);

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, url);
    for (const [name, value] of Object.entries(csrfHeader())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      try {
        const body = bodyOf(request.responseText, request.getResponseHeader('content-type'));
        resolve(replyOf(endpoint.reply, request.status, body));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new CallError(0));
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    options.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

/** Fills `:name` segments from the fields; a GET sends the rest as its query. */
export function addressOf(
  endpoint: Pick<AnyEndpoint, 'method' | 'path'>,
  fields: Record<string, unknown>,
): { url: string; rest: Record<string, unknown> } {
  const rest = { ...fields };
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value ?? ''));
  });
  if (endpoint.method !== 'GET') return { url: path, rest };

  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  return { url: query.size > 0 ? `${path}?${query}` : path, rest };
}

function fieldsOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}

function csrfHeader(): Record<string, string> {
  const token = cookie('XSRF-TOKEN');
  return token ? { 'x-xsrf-token': token } : {};
}

function replyOf<Reply extends z.ZodMiniType>(shape: Reply, status: number, body: unknown): z.infer<Reply> {
  if (status < 200 || status >= 300) throw new CallError(status, msgOf(body), body);
  const reply = shape.safeParse(body);
  // A newer server may reply in a shape that this page doesn't know.
  if (!reply.success) throw new CallError(status, msgOf(body));
  return reply.data;
}

/** Plain text for a message, JSON otherwise, `undefined` for anything else. */
export function bodyOf(text: string, contentType: string | null): unknown {
  if (contentType?.startsWith('text/plain')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function msgOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('msg' in body)) return undefined;
  return typeof body.msg === 'string' && body.msg ? body.msg : undefined;
}
