/** Who sees a photo: everyone once a published event shows it, until then the members who see one of its drafts. */
import { LRUCache } from 'lru-cache';
import { isGiven } from '#domain/accounts/roles.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { draftsOfPhoto, publishedEventOfPhoto } from './photos.sql.ts';

const MAX_CACHED = 2_000;
/** How long a photo of an event that is taken down may stay visible if the notification was lost. */
const CACHE_MS = 3_000;

/** Whether a published event shows the photo. Cached, because each visitor of a page asks for all of its photos. */
export function openPublicPhotos({
  db,
  changes,
}: Pick<Deps, 'db' | 'changes'>): (fileName: string) => Promise<boolean> {
  const eventOf = new LRUCache<string, string>({ max: MAX_CACHED, ttl: CACHE_MS });
  changes.onChange((change) => {
    if (change.what === 'anything') eventOf.clear();
    if (change.what !== 'event') return;
    for (const [fileName, eventId] of eventOf.entries()) if (eventId === change.eventId) eventOf.delete(fileName);
  });
  return async (fileName) => {
    if (eventOf.has(fileName)) return true;
    const eventId = await publishedEventOfPhoto(db, fileName);
    if (eventId !== undefined && changes.isLive()) eventOf.set(fileName, eventId);
    return eventId !== undefined;
  };
}

export async function seesDraftPhoto({ db }: Pick<Deps, 'db'>, actor: Actor, fileName: string): Promise<boolean> {
  const eventIds = await draftsOfPhoto(db, actor.organizationId, fileName);
  return eventIds.some((eventId) => isGiven(actor, eventId));
}
