/** A second server of the same installation: it has the same database, and none of the first one's memory. */
import type { Deps } from '#server/platform/deps.ts';

/** What is kept for each database in a process is kept for each of these, too: lanes, and what they remember. */
export function anotherServer<D extends Pick<Deps, 'db'>>(deps: D): D {
  return { ...deps, db: deps.db.$extendTables<Record<never, Record<string, never>>>() };
}
