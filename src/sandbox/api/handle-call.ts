/** Handles one API call: authentication, parameters, idempotency, execution. */

import { secretsMatch } from '#sandbox/accounts/hosted-links.ts';
import { type Core, contextFor, unixNow } from '../core.ts';
import { inTransaction, withSavepoint } from '../database.ts';
import { newId } from '../ids.ts';
import { ApiError, invalidRequest, serverError } from './errors.ts';
import { ExpandError, expand } from './expand.ts';
import { isRawObject, parseForm, type RawObject } from './form-body.ts';
import {
  findStoredResponse,
  type IdempotentCall,
  type StoredResponse,
  storeResponse,
  toIdempotentCall,
} from './idempotency.ts';
import { list, text } from './parameters.ts';
import type { Route } from './route.ts';

export interface ApiCall {
  method: string;
  path: string;
  query: string;
  body: string;
  pathParams: Record<string, string>;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  account: string | undefined;
}

export interface ApiResponse {
  status: number;
  body: string;
  requestId: string;
  /** Id of the first request, when this is an idempotent replay. */
  originalRequestId: string | null;
  shouldRetry: boolean | null;
}

/** With `failAfterward`, runs the call, then returns (and stores) a server error. */
export async function handleCall(
  core: Core,
  route: Route,
  call: ApiCall,
  { failAfterward = false } = {},
): Promise<ApiResponse> {
  const requestId = newId('req');
  const version = call.path.startsWith('/v2/') ? 'v2' : 'v1';
  try {
    authenticate(core, call.authorization);
    const raw = rawParameters(call, version);
    const account = call.account ?? null;
    const idempotent =
      call.method === 'POST' && call.idempotencyKey
        ? toIdempotentCall(call.idempotencyKey, { method: call.method, path: call.path, account, raw, version })
        : null;
    await checkAccount(core, account);
    const { expand: paths, ...params } = raw;
    return await runOnce(core, idempotent, requestId, async (execute) => {
      const expansions = paths === undefined || version === 'v2' ? [] : list(text)(paths, 'expand');
      const run = route.prepare(version === 'v2' ? raw : params);
      return await execute(async (tx) => {
        const ctx = contextFor(core, tx, {
          account,
          request: { id: requestId, idempotency_key: call.idempotencyKey ?? null },
        });
        const response = await expand(ctx, await run(ctx, call.pathParams), expansions);
        return failAfterward ? errorResult(serverError()) : { status: 200, body: JSON.stringify(response) };
      });
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      ...errorResult(toVersion(version, error)),
      requestId,
      originalRequestId: null,
      shouldRetry: error.status === 409 ? true : null,
    };
  }
}

/** Exceeding it results in 429 lock_timeout. */
const LOCK_TIMEOUT = "set local lock_timeout = '5s'";

type Result = Pick<StoredResponse, 'status' | 'body'>;
type Operation = (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) => Promise<Result>;

/**
 * Commits the call's effect and its stored response together. As at Stripe, an error before `execute` (such as an invalid
 * parameter) is not stored.
 */
async function runOnce(
  core: Core,
  idempotent: IdempotentCall | null,
  requestId: string,
  run: (execute: (operation: Operation) => Promise<Result>) => Promise<Result>,
): Promise<ApiResponse> {
  const outcome = await inTransaction(core.pool, async (tx) => {
    await tx.query(LOCK_TIMEOUT);
    const stored = idempotent && (await findStoredResponse(tx, idempotent, unixNow(core)));
    if (stored) return { ...stored, originalRequestId: stored.requestId };
    const result = await run(async (operation) => {
      const result = await withSavepoint(tx, () => operation(tx)).catch((error: unknown) => {
        if (error instanceof ApiError && !(error instanceof ExpandError)) return errorResult(error);
        throw error;
      });
      if (idempotent) await storeResponse(tx, idempotent, unixNow(core), { ...result, requestId });
      return result;
    });
    return { ...result, originalRequestId: null };
  });
  core.webhooks.wake();
  return {
    status: outcome.status,
    body: outcome.body,
    requestId,
    originalRequestId: outcome.originalRequestId,
    shouldRetry: outcome.status >= 500 ? false : null,
  };
}

/** v2 uses one code for all invalid fields. */
function toVersion(version: 'v1' | 'v2', error: ApiError): ApiError {
  const isFieldError = error.error.code?.startsWith('parameter_') ?? false;
  return version === 'v2' && isFieldError
    ? new ApiError(error.status, { ...error.error, code: 'invalid_fields' })
    : error;
}

export const errorResult = ({ status, error }: ApiError): Result => ({ status, body: JSON.stringify({ error }) });

function rawParameters({ query, body }: ApiCall, version: 'v1' | 'v2'): RawObject {
  const inQuery = parseForm(query);
  if (version === 'v1') return { ...inQuery, ...parseForm(body) };
  return body === '' ? inQuery : { ...inQuery, ...parseJson(body) };
}

function parseJson(body: string): RawObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw invalidRequest('The request body is not valid JSON.', { code: 'invalid_json' });
  }
  if (!isRawObject(parsed)) throw invalidRequest('The request body must be a JSON object.', { code: 'invalid_json' });
  return parsed;
}

/** The account in Stripe-Account must exist and be open. */
async function checkAccount({ pool, secretKey }: Core, account: string | null): Promise<void> {
  if (account === null) return;
  const { rowCount } = await pool.query(
    `select from sandbox.objects where id = $1 and kind = 'v2.core.account' and body->>'closed' = 'false'`,
    [account],
  );
  if (rowCount) return;
  throw invalidRequest(
    `The provided key '${secretKey.slice(0, 8)}****${secretKey.slice(-4)}' does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid', status: 403 },
  );
}

function authenticate({ secretKey }: Core, authorization: string | undefined): void {
  const providedKey = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (providedKey === undefined) {
    throw invalidRequest(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      { status: 401 },
    );
  }
  if (!secretsMatch(secretKey, providedKey)) {
    throw invalidRequest(`Invalid API Key provided: ${providedKey.slice(0, 8)}****${providedKey.slice(-4)}`, {
      status: 401,
    });
  }
}
