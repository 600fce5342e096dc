/** Idempotency keys: a repeated call gets the first call's response, byte for byte. */

import { createHash } from 'node:crypto';
import type { Tx } from '../database.ts';
import { idempotencyKeyInUse, idempotencyKeyReused, invalidRequest } from './errors.ts';
import type { Raw } from './form-body.ts';

const DAY = 24 * 60 * 60;

export interface IdempotentCall {
  key: string;
  /** Keys are unique per API version and account. */
  scope: string;
  fingerprint: string;
  version: 'v1' | 'v2';
}

export interface StoredResponse {
  requestId: string;
  status: number;
  body: string;
}

export function toIdempotentCall(
  key: string,
  call: { method: string; path: string; account: string | null; raw: Raw; version: 'v1' | 'v2' },
): IdempotentCall {
  if (key.length > 255) throw invalidRequest('The Idempotency-Key is too long: at most 255 characters.');
  const fingerprint = createHash('sha256')
    .update(`${call.method} ${call.path} ${call.account ?? ''} ${canonical(call.raw)}`)
    .digest('hex');
  return { key, scope: `${call.version} ${call.account ?? 'platform'}`, fingerprint, version: call.version };
}

/** Locks the key for this transaction. If the lock is taken, the first call is still running. */
export async function findStoredResponse(tx: Tx, call: IdempotentCall, now: number): Promise<StoredResponse | null> {
  const { rows: locks } = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as locked',
    [`sandbox key ${call.scope} ${call.key}`],
  );
  if (!locks[0]?.locked) throw idempotencyKeyInUse();
  const { rows } = await tx.query<StoredResponse & { fingerprint: string }>(
    `select fingerprint, request_id as "requestId", status, answer as body from sandbox.idempotency_keys
      where scope = $1 and key = $2 and expires_at > $3`,
    [call.scope, call.key, now],
  );
  const stored = rows[0];
  if (stored && stored.fingerprint !== call.fingerprint) throw idempotencyKeyReused(call.key);
  return stored ?? null;
}

export async function storeResponse(
  tx: Tx,
  call: IdempotentCall,
  now: number,
  { requestId, status, body }: StoredResponse,
): Promise<void> {
  const expiresAt = now + (call.version === 'v2' ? 30 * DAY : DAY);
  await tx.query(
    `insert into sandbox.idempotency_keys (scope, key, fingerprint, request_id, status, answer, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (scope, key) do update set fingerprint = excluded.fingerprint, request_id = excluded.request_id,
       status = excluded.status, answer = excluded.answer, expires_at = excluded.expires_at`,
    [call.scope, call.key, call.fingerprint, requestId, status, body, expiresAt],
  );
}

/** Sorts keys, so that parameter order does not matter. */
function canonical(raw: Raw): string {
  if (Array.isArray(raw)) return `[${raw.map(canonical).join(',')}]`;
  if (typeof raw !== 'object' || raw === null) return JSON.stringify(raw);
  const keys = Object.keys(raw).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(raw[key] ?? null)}`).join(',')}}`;
}
