import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface RequestName {
  keyId: string;
  idempotencyKey: string;
}

/** One run of a request. */
export interface Attempt extends RequestName {
  /** The same for each attempt. */
  id: string;
  attempt: number;
}

/** Longer than any request runs. After it, the process that ran it is taken to be gone. */
const RUNS_SECONDS_MAX = 60;

const KEPT_HOURS = 24;

const isOutdated = sql<boolean>`known.created_at <= business_now() - make_interval(hours => ${KEPT_HOURS})`;

/** Undefined while the request runs, once it was answered, and for another request with this key. */
export async function takeAttempt(
  db: Db,
  { keyId, idempotencyKey, requestHash }: RequestName & { requestHash: Buffer },
): Promise<Pick<Attempt, 'id' | 'attempt'> | undefined> {
  const { rows } = await sql<Pick<Attempt, 'id' | 'attempt'>>`
    insert into api_idempotency as known (key_id, idempotency_key, id, request_hash, running_until, created_at)
    values (${keyId}, ${idempotencyKey}, ${newId()}, ${requestHash},
            business_now() + make_interval(secs => ${RUNS_SECONDS_MAX}), business_now())
        on conflict (key_id, idempotency_key) do update
       set id = case when ${isOutdated} then excluded.id else known.id end,
           created_at = case when ${isOutdated} then excluded.created_at else known.created_at end,
           request_hash = excluded.request_hash, attempt = known.attempt + 1, running_until = excluded.running_until,
           status = null, answer = null
     where ${isOutdated}
        or (known.status is null and known.running_until <= business_now() and known.request_hash = excluded.request_hash)
    returning known.id, known.attempt`.execute(db);
  return rows[0];
}

export async function findRequest(db: Db, { keyId, idempotencyKey }: RequestName) {
  return db
    .selectFrom('apiIdempotency')
    .where('keyId', '=', keyId)
    .where('idempotencyKey', '=', idempotencyKey)
    .select(['id', 'requestHash', 'status', 'answer'])
    .executeTakeFirst();
}

/** Not of an attempt that another one replaced. */
export async function storeAnswer(db: Db, attempt: Attempt, answer: { status: number; answer: Buffer }): Promise<void> {
  await ofAttempt(db, attempt).set(answer).execute();
}

/** The next request with this key runs. */
export async function endAttempt(db: Db, attempt: Attempt): Promise<void> {
  await ofAttempt(db, attempt).set({ runningUntil: sql<Date>`business_now()` }).execute();
}

const ofAttempt = (db: Db, { keyId, idempotencyKey, attempt }: Attempt) =>
  db
    .updateTable('apiIdempotency')
    .where('keyId', '=', keyId)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('attempt', '=', attempt)
    .where('status', 'is', null);

/** Those that are kept no longer. */
export async function deleteOutdated(db: Db): Promise<void> {
  await sql`delete from api_idempotency as known where ${isOutdated}`.execute(db);
}
