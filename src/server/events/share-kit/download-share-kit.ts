import { LRUCache } from 'lru-cache';
import type { shareKit as contract, ShareKind } from '#contract/app/records/overview.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { linkAddress } from '#domain/reports/tracking-links.ts';
import { coverOf } from '#domain/sales/photos.ts';
import { longDate } from '#messages/format.ts';
import { shareKit as text } from '#messages/sales/share-kit.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { publicEventRow } from '#server/events/events.sql.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import { readPhotoAt } from '#server/events/photos/read-photo.ts';
import { createWorkQueue } from '#server/events/photos/work-queue.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import { LAYOUTS, renderShareImage, type SharedEvent } from './render-share-image.ts';
import { shareFlyer } from './share-flyer.ts';

const enqueue = createWorkQueue({ concurrency: 1 });
/** A picture has up to a few hundred kilobytes. */
const files = new LRUCache<string, Promise<Uint8Array>>({ max: 60 });

/** Rendered once for each text and photo. */
export async function downloadShareKit(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'photos'>,
  actor: Actor,
  { eventId, kind, link }: InputOf<typeof contract>,
): Promise<FileDownload> {
  await authorizeEvent(deps, actor, 'event.view', eventId);
  const event = await publicEventRow(deps.db, eventId);
  if (!event) throw new AppError('event.not-found');
  const cover = coverOf((await listPhotos(deps, [eventId]))(eventId));
  const shown = {
    id: eventId,
    title: event.title,
    lines: [longDate(event.startsAt, event.timezone), `${event.street}, ${event.city}, ${event.state}`],
    seller: event.organizationName,
    url: link ? linkAddress(eventUrl(deps, eventId), link) : eventUrl(deps, eventId),
  };
  const photo = await readPhotoAt(deps, cover?.url);
  const focus = cover?.focus ?? null;
  const key = JSON.stringify([kind, shown, photo && cover?.url, focus]);
  const known = files.get(key);
  const file = known ?? enqueue(() => render(kind, { ...shown, photo, focus }));
  if (!known) {
    // A failure is not cached.
    file.catch(() => files.delete(key));
    files.set(key, file);
  }
  const type = kind === 'flyer' ? 'application/pdf' : photo ? 'image/jpeg' : 'image/png';
  return { fileName: `${text.file(event.title, kind)}.${ENDINGS[type]}`, type, chunks: [await file] };
}

const ENDINGS = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' };

const render = (kind: ShareKind, event: SharedEvent & { url: string }): Promise<Uint8Array> =>
  kind === 'flyer' ? shareFlyer(event) : renderShareImage(event, LAYOUTS[kind]);
