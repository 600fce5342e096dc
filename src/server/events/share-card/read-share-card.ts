import { LRUCache } from 'lru-cache';
import type { PublicEvent } from '#contract/app/events.ts';
import { longDate, placeLine } from '#messages/format.ts';
import { readEventPage } from '#server/events/page/read-event-page.ts';
import { readPhotoAt } from '#server/events/photos/read-photo.ts';
import { createWorkQueue } from '#server/events/photos/work-queue.ts';
import type { Deps } from '#server/platform/deps.ts';
import { renderShareCard, type ShareCard } from './render-share-card.ts';

/** ID of the card for the landing page. */
const SITE_CARD = 'handstamp';
const enqueue = createWorkQueue({ concurrency: 1 });

const cards = new LRUCache<string, Promise<Buffer>>({ max: 100 });

/** The event's share card, or `null` for an unknown event. Rendered once for each text and photo. */
export async function readShareCard(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'photos'>,
  id: string,
): Promise<Buffer | null> {
  const event = id === SITE_CARD ? null : await readEventPage(deps, id);
  if (!event && id !== SITE_CARD) return null;

  const text = event ? cardText(event.publicEvent) : { title: 'Sell it. Scan it. Get paid.', lines: ['Handstamp'] };
  const { url, focus } = event?.cover ?? { url: undefined, focus: null };
  const key = JSON.stringify([id, text, url, focus]);
  const cached = cards.get(key);
  if (cached) return cached;

  const card = enqueue(async () => renderShareCard({ id, ...text, photo: await readPhotoAt(deps, url), focus }));
  // A failure is not cached.
  card.catch(() => cards.delete(key));
  cards.set(key, card);
  return card;
}

function cardText(event: PublicEvent): Pick<ShareCard, 'title' | 'lines'> {
  return {
    title: event.title,
    lines: [longDate(new Date(event.startDate_startTime), event.timezone), placeLine(event)],
  };
}
