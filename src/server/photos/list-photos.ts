import type { Deps } from '#server/deps.ts';
import { photoUrl } from './photo-url.ts';
import { photoRows } from './photos.sql.ts';

/** The photos' addresses by event, each list in the order of the carousel. */
export async function listPhotos(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventIds: readonly string[],
): Promise<(eventId: string) => string[]> {
  const rows = await photoRows(deps.db, eventIds);
  return (eventId) => rows.filter((row) => row.eventId === eventId).map((row) => photoUrl(deps, row.fileName));
}
