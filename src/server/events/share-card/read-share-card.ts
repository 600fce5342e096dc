import type { PublicEvent } from '#contract/events.ts';
import { longDate } from '#server/events/long-date.ts';
import { readEventPage } from '#server/events/page/read-event-page.ts';
import { fileNameOf } from '#server/events/photos/photo-files.ts';
import { openSerialQueue } from '#server/events/photos/serial-queue.ts';
import type { Deps } from '#server/platform/deps.ts';
import { renderShareCard, type ShareCard } from './render-share-card.ts';

/** Not an event: the product's own card, of its start page. */
const OWN_CARD = 'handstamp';
const CARDS_CACHED = 100;
const inLine = openSerialQueue({ atOnce: 1 });

const kept = new Map<string, Promise<Buffer>>();

/** The card of an event, or null where there is none. A card is drawn once, as long as its words and photo stay. */
export async function readShareCard(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'photos'>,
  id: string,
): Promise<Buffer | null> {
  const event = id === OWN_CARD ? null : await readEventPage(deps, id);
  if (!event && id !== OWN_CARD) return null;

  const words = event ? wordsOf(event.facts) : { title: 'Sell it. Scan it. Get paid.', lines: ['Handstamp'] };
  const photo = event?.facts.eventPhotos[0];
  const key = JSON.stringify([id, words, photo]);
  const known = kept.get(key);
  if (known) return known;

  const oldest = kept.keys().next();
  if (kept.size >= CARDS_CACHED && !oldest.done) kept.delete(oldest.value);
  const card = inLine(async () => renderShareCard({ id, ...words, photo: await photoOf(deps, photo) }));
  // What failed once may work the next time.
  card.catch(() => kept.delete(key));
  kept.set(key, card);
  return card;
}

function wordsOf(event: PublicEvent): Pick<ShareCard, 'title' | 'lines'> {
  return {
    title: event.title,
    lines: [
      longDate(new Date(event.startDate_startTime), event.timezone),
      `${event.street}, ${event.city}, ${event.state}`,
    ],
  };
}

async function photoOf(deps: Pick<Deps, 'photos' | 'publicUrl'>, url: string | undefined): Promise<Buffer | null> {
  const fileName = url === undefined ? null : fileNameOf(deps, url);
  return fileName === null ? null : deps.photos.read(fileName);
}
