/** A client for the API of a Handstamp installation. Calls, fields and answers are those of its description. */
import createFetch from 'openapi-fetch';
import type { components, paths } from './api.gen.ts';
import { HandstampError } from './errors.ts';
import { retrying, type Send } from './retry.ts';
import type { AnswerOf, FieldsOf, ItemOf, ListPath, Method, PathWith } from './types.ts';

export { HandstampError, HandstampUnreachableError } from './errors.ts';

/** What the API answers, by name: `Resource<'Ticket'>`. */
export type Resource<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface HandstampOptions {
  /** Address of the installation, such as `https://tickets.example`. */
  url: string;
  /** An API key, made under *Organization*, *API*. */
  key: string;
  /** How often a call is sent again after a 429, and a GET after any failure that may pass. 4 by default. */
  retries?: number;
  /** Sends the requests instead of `fetch`. */
  fetch?: Send;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Names what a POST does, so that sending it again does it once. By default, each call has one of its own. */
  idempotencyKey?: string;
}

/** Fields may be left out of a call that requires none. */
type Call<M extends Method> = <Path extends PathWith<M>>(
  path: Path,
  ...rest: object extends FieldsOf<Path, M>
    ? [fields?: FieldsOf<Path, M>, options?: CallOptions]
    : [fields: FieldsOf<Path, M>, options?: CallOptions]
) => Promise<AnswerOf<Path, M>>;

export interface Handstamp {
  get: Call<'get'>;
  post: Call<'post'>;
  patch: Call<'patch'>;
  put: Call<'put'>;
  delete: Call<'delete'>;
  /** Every item of a list, page after page. What exists throughout the walk is in it. */
  each<Path extends ListPath>(
    path: Path,
    fields?: Omit<FieldsOf<Path, 'get'>, 'after'>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Path>, void>;
}

const RETRIES = 4;
const PAGE_MAX = 100;

export function createHandstamp({ url, key, retries = RETRIES, fetch: send = fetch }: HandstampOptions): Handstamp {
  const api = createFetch<paths>({
    baseUrl: new URL('api/v1', url.endsWith('/') ? url : `${url}/`).href,
    headers: { authorization: `Bearer ${key}` },
    fetch: retrying((request) => send(request), { retries, wait }),
  });

  async function call(method: Method, path: string, fields: Fields = {}, options: CallOptions = {}): Promise<unknown> {
    const { signal, idempotencyKey = crypto.randomUUID() } = options;
    const { data, error, response } = await api.request(
      method,
      path as never,
      {
        ...partsOf(method, path, fields),
        ...(signal && { signal }),
        ...(method === 'post' && { headers: { 'idempotency-key': idempotencyKey } }),
      } as never,
    );
    if (!response.ok) throw new HandstampError(response, error);
    return data;
  }

  async function* each(path: string, fields: Fields = {}, options: CallOptions = {}) {
    let after: string | null = null;
    do {
      const page = (await call('get', path, { limit: PAGE_MAX, ...fields, ...(after && { after }) }, options)) as Page;
      yield* page.data;
      after = page.next_cursor;
    } while (after !== null);
  }

  const method = (name: Method) => (path: string, fields?: Fields, options?: CallOptions) =>
    call(name, path, fields, options);
  return {
    get: method('get'),
    post: method('post'),
    patch: method('patch'),
    put: method('put'),
    delete: method('delete'),
    each,
  } as Handstamp;
}

type Fields = Record<string, unknown>;

interface Page {
  data: unknown[];
  next_cursor: string | null;
}

/** Fields are in the path if it names them, else in the query of a GET and in the body of anything else. */
function partsOf(method: Method, path: string, fields: Fields) {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  const inPath = named.filter(([name]) => path.includes(`{${name}}`));
  const others = named.filter(([name]) => !path.includes(`{${name}}`));
  const params = { path: Object.fromEntries(inPath) };
  if (method === 'get') return { params: { ...params, query: Object.fromEntries(others) } };
  return { params, ...(others.length > 0 && { body: Object.fromEntries(others) }) };
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
