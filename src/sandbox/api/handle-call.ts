/** One call of the API from its bytes to its answer: who asks, what for, whether it was asked before. */

import { type Core, nowOf, workFor } from '../core.ts';
import { inTransaction, orUndo } from '../database.ts';
import { newId } from '../ids.ts';
import { isSame } from '../hosted-links.ts';
import { ApiRefusal, invalidRequest, outage } from './errors.ts';
import { ExpandRefusal, expand } from './expand.ts';
import { isRawObject, parseForm, type RawObject } from './form-body.ts';
import { findAnswer, type KeyedCall, keyedCall, type StoredAnswer, storeAnswer } from './idempotency.ts';
import { list, text } from './parameters.ts';
import type { Route } from './route.ts';

export interface Call {
  method: string;
  path: string;
  query: string;
  body: string;
  segments: Record<string, string>;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  account: string | undefined;
}

export interface Answer {
  status: number;
  body: string;
  requestId: string;
  /** The first call's request, when this is its answer again. */
  replayOf: string | null;
  shouldRetry: boolean | null;
}

/** `failAfterwards`: do it, then answer (and remember) a server error. */
export async function answerCall(
  core: Core,
  route: Route,
  call: Call,
  { failAfterwards = false } = {},
): Promise<Answer> {
  const requestId = newId('req');
  const version = call.path.startsWith('/v2/') ? 'v2' : 'v1';
  try {
    authenticate(core, call.authorization);
    const raw = rawParameters(call, version);
    const account = call.account ?? null;
    const keyed =
      call.method === 'POST' && call.idempotencyKey
        ? keyedCall(call.idempotencyKey, { method: call.method, path: call.path, account, raw, version })
        : null;
    await checkAccount(core, account);
    const { expand: paths, ...given } = raw;
    return await runOnce(core, keyed, requestId, async (stored) => {
      const expansions = paths === undefined || version === 'v2' ? [] : list(text)(paths, 'expand');
      const execute = route.prepare(version === 'v2' ? raw : given);
      return await stored(async (tx) => {
        const work = workFor(core, tx, {
          account,
          request: { id: requestId, idempotency_key: call.idempotencyKey ?? null },
        });
        const answer = await expand(work, await execute(work, call.segments), expansions);
        return failAfterwards ? refused(outage()) : { status: 200, answer: JSON.stringify(answer) };
      });
    });
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return {
      ...bodyOf(refused(inVersion(version, error))),
      requestId,
      replayOf: null,
      shouldRetry: error.status === 409 ? true : null,
    };
  }
}

/** Who waits longer for an object is told 429 lock_timeout. */
const LOCK_TIMEOUT = "set local lock_timeout = '5s'";

type Result = Pick<StoredAnswer, 'status' | 'answer'>;
type Execution = (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) => Promise<Result>;

/**
 * Effect and remembered answer are one transaction: either both are there after a crash, or neither.
 * What is refused before `stored` runs (a wrong parameter) is not remembered, as at Stripe.
 */
async function runOnce(
  core: Core,
  keyed: KeyedCall | null,
  requestId: string,
  run: (stored: (execution: Execution) => Promise<Result>) => Promise<Result>,
): Promise<Answer> {
  const outcome = await inTransaction(core.pool, async (tx) => {
    await tx.query(LOCK_TIMEOUT);
    const before = keyed && (await findAnswer(tx, keyed, nowOf(core)));
    if (before) return { ...before, replayOf: before.requestId };
    const result = await run(async (execution) => {
      const done = await orUndo(tx, () => execution(tx)).catch((error: unknown) => {
        if (error instanceof ApiRefusal && !(error instanceof ExpandRefusal)) return refused(error);
        throw error;
      });
      if (keyed) await storeAnswer(tx, keyed, nowOf(core), { ...done, requestId });
      return done;
    });
    return { ...result, replayOf: null };
  });
  core.deliveries.wake();
  return {
    ...bodyOf(outcome),
    requestId,
    replayOf: outcome.replayOf,
    shouldRetry: outcome.status >= 500 ? false : null,
  };
}

const bodyOf = ({ status, answer }: Result) => ({ status, body: answer });

/** v2 has one code for every field that is wrong. */
function inVersion(version: 'v1' | 'v2', refusal: ApiRefusal): ApiRefusal {
  const isField = refusal.error.code?.startsWith('parameter_') ?? false;
  return version === 'v2' && isField
    ? new ApiRefusal(refusal.status, { ...refusal.error, code: 'invalid_fields' })
    : refusal;
}

export const refused = ({ status, error }: ApiRefusal): Result => ({ status, answer: JSON.stringify({ error }) });

function rawParameters({ query, body }: Call, version: 'v1' | 'v2'): RawObject {
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

/** Who calls on behalf of an account must know it, and it must still be open. */
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
  const given = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (given === undefined) {
    throw invalidRequest(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      { status: 401 },
    );
  }
  if (!isSame(secretKey, given)) {
    throw invalidRequest(`Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`, { status: 401 });
  }
}
