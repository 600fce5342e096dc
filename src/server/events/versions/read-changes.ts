import type { ChangesPage } from '#contract/app/sales/page-changes.ts';
import { pageChanges } from '#domain/sales/page-versions.ts';
import { changeTexts } from '#messages/records/page-changes.ts';
import type { Deps } from '#server/platform/deps.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import { listedVersions, publishedEvent } from './versions.sql.ts';

/** Null for a draft, as for an unknown event. */
export async function readChanges({ db }: Pick<Deps, 'db'>, eventId: string): Promise<ChangesPage | null> {
  const event = PUBLIC_ID.test(eventId) ? await publishedEvent(db, eventId) : undefined;
  if (!event) return null;
  const changes = (await listedVersions(db, eventId)).map(({ changedAt, before, after, repricedTypes }) => ({
    at: changedAt.toISOString(),
    parts: pageChanges(before, after, repricedTypes).map((change) => ({ what: change.what, ...changeTexts(change) })),
  }));
  return { eventId, title: event.title, timezone: event.timezone, changes };
}
