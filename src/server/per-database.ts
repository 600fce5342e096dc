/** One of its kind for each database that this process works on, made when it is first asked for: the product has one, a test run many. */
import type { Db } from './database.ts';

export function perDatabase<T>(open: (db: Db) => T): (db: Db) => T {
  const opened = new WeakMap<Db, T>();
  return (db) => {
    const known = opened.get(db);
    if (known !== undefined) return known;
    const made = open(db);
    opened.set(db, made);
    return made;
  };
}
