/** Idempotency keys of Stripe calls that move money, for the tables with the columns `attempt` and `key_since`. */
import { sql } from 'kysely';

/**
 * Stripe drops idempotency keys after 24 hours. A key is replaced only while it is well below that age: a request delayed
 * past the limit would otherwise run under the dropped key and move the money a second time.
 */
const SAFE_KEY_AGE_HOURS = 10;

const isSafeAge = sql`key_since > business_now() - make_interval(hours => ${SAFE_KEY_AGE_HOURS})`;

/** Set before the call. `table` is the table's name in the statement. */
export const keyInUse = (table: string) => sql<Date>`coalesce(${sql.ref(`${table}.key_since`)}, business_now())`;

/**
 * Set after Stripe replayed a stored answer. The next call gets a new key if this one is safely below the age limit;
 * otherwise it reuses the key until Stripe drops it and executes the request.
 */
export const nextKey = {
  attempt: sql<number>`case when ${isSafeAge} then attempt + 1 else attempt end`,
  keySince: sql<Date | null>`case when ${isSafeAge} then null else key_since end`,
};

/** Set after Stripe's first answer, which it replays from now on. */
export const keyAnswered = { keySince: sql<Date>`business_now()` };
