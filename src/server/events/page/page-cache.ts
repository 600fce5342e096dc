/** What everyone may read of an event, as the call answers it and as a page: kept in this process until it changes. */
import { type PublicEvent, publicEvent } from '#contract/events.ts';
import { type Made, TimedCache } from '#server/platform/cache.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Answers, answersOf } from './answer.ts';
import { type EventOnRecord, readEventPage } from './read-event-page.ts';

export interface PublishedEvents {
  replies: TimedCache<Answers>;
  /** Null where no web is served. */
  pages: TimedCache<Answers> | null;
}

export type RenderEvent = (eventId: string, event: EventOnRecord) => string;

const MEGABYTE = 1024 * 1024;
const MOST_BYTES = { replies: 16 * MEGABYTE, pages: 64 * MEGABYTE };

/** One second takes the weight of a rush off us; the screens, which must know better, ask past every cache. */
const REPLY_CACHING = 'public, max-age=1, stale-while-revalidate=5';
/** A browser asks each time, so that whoever comes back to a page sees it as it is. */
const PAGE_CACHING = 'public, max-age=0, s-maxage=1';

export function publishEvents(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'changes' | 'log'>,
  headers: Readonly<Record<string, string>>,
  draw: RenderEvent | null,
): PublishedEvents {
  const keep = (most: number, make: (eventId: string, event: EventOnRecord) => Promise<Answers>) =>
    new TimedCache<Answers>({
      async make(eventId): Promise<Made<Answers> | null> {
        const event = await readEventPage(deps, eventId);
        if (!event) return null;
        const value = await make(eventId, event);
        const { changesAt, now } = event;
        return { value, bytes: value.bytes, lastsMs: changesAt && changesAt.getTime() - now.getTime() };
      },
      isTold: () => deps.changes.isLive(),
      onError: (err, eventId) => deps.log.warn({ err, eventId }, 'an event could not be read anew'),
      mostBytes: most,
    });

  const replies = keep(MOST_BYTES.replies, (_eventId, { reply }) =>
    answersOf(jsonOf(reply), 'application/json; charset=utf-8', REPLY_CACHING, headers),
  );
  const pages =
    draw &&
    keep(MOST_BYTES.pages, (eventId, event) =>
      answersOf(draw(eventId, event), 'text/html; charset=utf-8', PAGE_CACHING, headers),
    );

  deps.changes.onChange((change) => {
    for (const kept of pages ? [replies, pages] : [replies]) {
      if (change.what === 'event') kept.changed(change.eventId);
      else kept.allChanged();
    }
  });
  return { replies, pages };
}

/** The contract lets out only what it names. */
function jsonOf(reply: PublicEvent | { msg: string }): string {
  return JSON.stringify(publicEvent.reply.parse(reply));
}
