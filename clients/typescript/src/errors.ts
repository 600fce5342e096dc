import type { ErrorCode } from './api.gen.ts';

/** An answer of the API that denies what was asked. Decide by `code`: texts can change, codes never do. */
export class HandstampError extends Error {
  override readonly name = 'HandstampError';
  /** Newer servers can answer codes that this version doesn't know. */
  readonly code: ErrorCode | (string & {});
  readonly params: Readonly<Record<string, string | number | boolean | null>>;
  readonly status: number;
  /** Finds the request in the server's log. */
  readonly requestId: string | null;
  /** When a 429 or 503 says so. */
  readonly retryAfterSeconds: number | null;

  constructor(response: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const { code, message, params } = errorIn(body) ?? unreadable(response);
    super(message);
    this.code = code;
    this.params = params;
    this.status = response.status;
    this.requestId = textOf(body, 'request_id') ?? null;
    this.retryAfterSeconds = secondsToWait(response.headers, Date.now());
  }
}

/** No answer came: the server is unreachable, or the connection broke. */
export class HandstampUnreachableError extends Error {
  override readonly name = 'HandstampUnreachableError';
}

/** @returns null without a header that says so */
export function secondsToWait(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

type ErrorBody = Pick<HandstampError, 'code' | 'message' | 'params'>;

function errorIn(body: unknown): ErrorBody | null {
  if (!isObject(body) || !isObject(body['error'])) return null;
  const { code, message, params } = body['error'];
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  return { code, message, params: isObject(params) ? (params as ErrorBody['params']) : {} };
}

/** Something between the program and the product answered. */
const unreadable = ({ status }: Pick<Response, 'status'>): ErrorBody => ({
  code: `http.${status}`,
  message: `The server answered ${status} without an explanation`,
  params: {},
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function textOf(body: unknown, name: string): string | undefined {
  const value = isObject(body) ? body[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
