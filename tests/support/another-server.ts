/** A second server of the same installation: same database, separate memory. */
import type { Deps } from '#server/platform/deps.ts';

/** Batchers and caches are keyed by the `db` object, so a new object gets new ones. */
export function anotherServer<D extends Pick<Deps, 'db'>>(deps: D): D {
  return { ...deps, db: deps.db.$extendTables<Record<never, Record<string, never>>>() };
}
