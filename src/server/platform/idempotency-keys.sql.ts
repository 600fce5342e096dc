/** The keys under which the card company is asked to move money, for the tables that have `attempt` and `key_since`. */
import { sql } from 'kysely';

/**
 * The card company forgets a key after a day. Whatever was sent while a key was so young has arrived by then; what comes later would move
 * money under a forgotten key, beside what the next key has moved.
 */
const KEY_IS_SURE_HOURS = 10;

const isSure = sql`key_since > business_now() - make_interval(hours => ${KEY_IS_SURE_HOURS})`;

/** To be written before the call; `table` is its name in the statement. */
export const keyInUse = (table: string) => sql<Date>`coalesce(${sql.ref(`${table}.key_since`)}, business_now())`;

/**
 * To be written when the card company has repeated itself: the next call has another key, if this one is sure to be known for hours to come.
 * If not, the same key is used until it is forgotten, and what is asked under it is done then.
 */
export const nextKey = {
  attempt: sql<number>`case when ${isSure} then attempt + 1 else attempt end`,
  keySince: sql<Date | null>`case when ${isSure} then null else key_since end`,
};

/** To be written when the card company has given its first answer, which it repeats from now on. */
export const keyAnswered = { keySince: sql<Date>`business_now()` };
