/**
 * Counts how often event pages are opened, without a cookie and without a person: a number for each event and tracking link, in memory,
 * added to the day's rows every few seconds.
 */

import { SLUG_MAX } from '#domain/limits.ts';
import type { Deps } from '#server/platform/deps.ts';
import { addLinkViews, addViews } from './views.sql.ts';

export interface ViewCounter {
  /**
   * @param url of the request that the page's bytes answer
   * @param rawHeaders alternating names and values
   */
  count(eventId: string, url: string, rawHeaders: readonly string[]): void;
  /** What is counted is stored when it resolves, unless the database is down. */
  flush(): Promise<void>;
}

const FLUSH_MS = 10_000;
/** Addresses can name links that don't exist: so many are remembered until they are stored. */
const LINKS_COUNTED_MAX = 10_000;

export function openViewCounter({ db, log }: Pick<Deps, 'db' | 'log'>): ViewCounter {
  let views = new Map<string, number>();
  /** By event, a space, and what the address names. */
  let byLink = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();

  function add(eventId: string, count: number): void {
    views.set(eventId, (views.get(eventId) ?? 0) + count);
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  function addToLink(link: string, count: number): void {
    const before = byLink.get(link);
    if (before !== undefined || byLink.size < LINKS_COUNTED_MAX) byLink.set(link, (before ?? 0) + count);
  }

  async function store(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    if (views.size === 0) return;
    const taken = views;
    const takenByLink = byLink;
    views = new Map();
    byLink = new Map();
    try {
      await addViews(db, taken);
    } catch (err) {
      log.warn({ err }, 'failed to store page views');
      for (const [eventId, count] of taken) add(eventId, count);
    }
    if (takenByLink.size === 0) return;
    try {
      await addLinkViews(db, takenByLink);
    } catch (err) {
      log.warn({ err }, 'failed to store views of links');
      for (const [link, count] of takenByLink) addToLink(link, count);
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(store);
    return flushing;
  }

  return {
    count(eventId, url, rawHeaders) {
      if (!isBuyers(rawHeaders)) return;
      add(eventId, 1);
      const slug = FROM_LINK.exec(url)?.[1];
      if (slug !== undefined) addToLink(`${eventId} ${slug.toLowerCase()}`, 1);
    },
    flush,
  };
}

/** As the page reads it: what no link can end in is ignored. */
const FROM_LINK = new RegExp(`[?&]from=([a-z0-9-]{1,${SLUG_MAX}})(?:&|$)`, 'i');

/**
 * Whether a person who may buy looks at the page. Buyers have no account, so who is logged in is a member of some organization. A
 * prefetched page may never be shown.
 */
function isBuyers(rawHeaders: readonly string[]): boolean {
  let isBrowser = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The length alone excludes most headers.
    if (name.length === 10 && name.toLowerCase() === 'user-agent')
      isBrowser = isBrowserAgent(rawHeaders[index + 1] ?? '');
    else if (name.length === 6 && name.toLowerCase() === 'cookie' && LOGGED_IN.test(rawHeaders[index + 1] ?? ''))
      return false;
    else if (name.length === 11 && name.toLowerCase() === 'sec-purpose') return false;
  }
  return isBrowser;
}

const LOGGED_IN = /(?:^|; ?)token=/;

/** Browsers all begin alike, which programs rarely do. Some crawlers do, and then name themselves. CUBOT makes phones. */
const BROWSER = /^(?:Mozilla\/5\.0 \(|Opera\/)/;
const BOT =
  /(?<!cu)bot|crawl|spider|slurp|preview|scan|monitor|headless|lighthouse|pagespeed|archive|facebookexternalhit|compatible;|https?:/i;

const AGENTS_MAX = 2000;
/** By user agent: visitors share a few hundred, and a pattern costs more than a look-up. */
const known = new Map<string, boolean>();

function isBrowserAgent(agent: string): boolean {
  let isBrowser = known.get(agent);
  if (isBrowser === undefined) {
    isBrowser = BROWSER.test(agent) && !BOT.test(agent);
    if (known.size >= AGENTS_MAX) known.clear();
    known.set(agent, isBrowser);
  }
  return isBrowser;
}
