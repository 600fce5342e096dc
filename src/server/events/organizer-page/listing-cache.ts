/** Pages and calendars that show several events, cached like the pages of events until one of those changes. */
import { buildResponses, type ResponseVariants } from '#server/events/page/response-variants.ts';
import { ShownOn } from '#server/events/page/shown-on.ts';
import { type Computed, TimedCache } from '#server/platform/cache.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { listedEntriesOf } from './listed-events.sql.ts';

/** What was read for a page or a calendar. */
export interface Listing {
  /** Whose changes outdate it: events and organizations. */
  shows: readonly string[];
  now: Date;
  /** When it becomes outdated without any change. */
  changesAt: Date | null;
}

export interface CalendarSnapshot<Of> extends Listing {
  /** What it is the calendar of. */
  of: Of;
  entries: Awaited<ReturnType<typeof listedEntriesOf>>;
}

export function earliest(moments: readonly (Date | null)[]): Date | null {
  const known = moments.filter((moment) => moment !== null).map(Number);
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}

export const firstEndOf = (events: readonly { endsAt: Date }[]): Date | null =>
  earliest(events.map(({ endsAt }) => endsAt));

interface ListingKind<T extends Listing> {
  read: (name: string) => Promise<T | null>;
  render: (listing: T) => string;
  type: string;
  cacheControl: string;
  maxBytes: number;
}

/** The caches of one kind of address: its page and its calendar. */
export class Listings {
  readonly #deps: Pick<Deps, 'changes' | 'log'>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #shown = new ShownOn();
  readonly #caches: TimedCache<ResponseVariants>[] = [];

  constructor(deps: Pick<Deps, 'changes' | 'log'>, headers: Readonly<Record<string, string>>) {
    this.#deps = deps;
    this.#headers = headers;
  }

  open<T extends Listing>({ read, render, type, cacheControl, maxBytes }: ListingKind<T>) {
    const { changes, log } = this.#deps;
    const cache = new TimedCache<ResponseVariants>({
      compute: async (name): Promise<Computed<ResponseVariants> | null> => {
        const reading = this.#shown.startReading();
        try {
          const listing = await read(name);
          if (!listing) return null;
          const value = await buildResponses(render(listing), type, cacheControl, this.#headers);
          const { changesAt, now, shows } = listing;
          const isOutdated = this.#shown.add(name, shows);
          const ttlMs = changesAt && changesAt.getTime() - now.getTime();
          return { value, bytes: value.bytes, ttlMs: isOutdated ? 0 : ttlMs };
        } finally {
          reading.end();
        }
      },
      isLive: () => changes.isLive(),
      onError: (err, name) => log.warn({ err, name }, 'failed to refresh a list of events'),
      maxBytes,
    });
    this.#caches.push(cache);
    return cache;
  }

  /** Something that the lists may show has changed. */
  changed(id: string): void {
    for (const name of this.#shown.changed(id)) this.invalidate(name);
  }

  invalidate(name: string): void {
    for (const cache of this.#caches) cache.invalidate(name);
  }

  invalidateAll(): void {
    for (const cache of this.#caches) cache.invalidateAll();
  }
}
