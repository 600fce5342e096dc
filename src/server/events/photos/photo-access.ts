/** Who sees a photo: everyone once a published event shows it, or as a logo; until then the members who see one of its drafts. */
import { LRUCache } from 'lru-cache';
import { isGiven } from '#domain/accounts/roles.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { draftsOfPhoto, publicOwnerOf } from './photos.sql.ts';

const MAX_CACHED = 2_000;
/** How long a photo of an event that is taken down may stay visible if the notification was lost. */
const CACHE_MS = 3_000;

/** Whether the photo is for everyone. Cached, because each visitor of a page asks for all of its photos. */
export function openPublicPhotos({
  db,
  changes,
}: Pick<Deps, 'db' | 'changes'>): (fileName: string) => Promise<boolean> {
  const ownerOf = new LRUCache<string, string>({ max: MAX_CACHED, ttl: CACHE_MS });
  changes.onChange((change) => {
    if (change.what === 'anything') ownerOf.clear();
    if (change.what !== 'event') return;
    for (const [fileName, ownerId] of ownerOf.entries()) if (ownerId === change.eventId) ownerOf.delete(fileName);
  });
  return async (fileName) => {
    if (ownerOf.has(fileName)) return true;
    const ownerId = await publicOwnerOf(db, fileName);
    if (ownerId !== undefined && changes.isLive()) ownerOf.set(fileName, ownerId);
    return ownerId !== undefined;
  };
}

export async function seesDraftPhoto({ db }: Pick<Deps, 'db'>, actor: Actor, fileName: string): Promise<boolean> {
  const eventIds = await draftsOfPhoto(db, actor.organizationId, fileName);
  return eventIds.some((eventId) => isGiven(actor, eventId));
}
