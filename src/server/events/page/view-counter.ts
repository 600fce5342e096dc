/**
 * Counts how often event pages are opened, without a cookie and without a person: a number for each event, in memory, added to the
 * day's row in one statement every few seconds.
 */
import type { Deps } from '#server/platform/deps.ts';
import { addViews } from './views.sql.ts';

export interface ViewCounter {
  /** @param rawHeaders of the request that the page's bytes answer, alternating names and values */
  count(eventId: string, rawHeaders: readonly string[]): void;
  /** What is counted is stored when it resolves, unless the database is down. */
  flush(): Promise<void>;
}

const FLUSH_MS = 10_000;

export function openViewCounter({ db, log }: Pick<Deps, 'db' | 'log'>): ViewCounter {
  let views = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();

  function add(eventId: string, count: number): void {
    views.set(eventId, (views.get(eventId) ?? 0) + count);
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  async function store(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    if (views.size === 0) return;
    const taken = views;
    views = new Map();
    try {
      await addViews(db, taken);
    } catch (err) {
      log.warn({ err }, 'failed to store page views');
      for (const [eventId, count] of taken) add(eventId, count);
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(store);
    return flushing;
  }

  return {
    count(eventId, rawHeaders) {
      if (isBuyers(rawHeaders)) add(eventId, 1);
    },
    flush,
  };
}

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
