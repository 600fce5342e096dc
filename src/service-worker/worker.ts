/**
 * Lets one page open without a network: the scanner, or a holder's tickets, whichever this worker was registered for.
 * It keeps the page and the files it is made of, and nothing else: no call, no other page. Why so: docs/decisions/0034.
 */
import { wayOf } from './strategy.ts';

declare const self: ServiceWorkerGlobalScope;
/** Written in by the build: vite.worker.config.ts. */
declare const BUILT: { entry: string; files: Record<string, string[]> };

/** At a door, a line as slow as this is none. */
const PATIENCE_MS = 3000;

const page = new URL(self.registration.scope).pathname;
const { entry, files } = BUILT;
/** Also the name of the lock that an open page of this version holds: src/web/keep-page.ts. */
const version = `${page} ${entry}`;

self.addEventListener('install', (event) => event.waitUntil(keepVersion()));

// A page that was there before its worker needs it as well, and no reload should be asked for.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const way = wayOf(event.request, { origin: location.origin, page });
  if (way === 'file') event.respondWith(keptOrFresh(event.request));
  if (way === 'page') {
    event.respondWith(freshOrKept(event.request));
    event.waitUntil(clearAway());
  }
});

/** All or nothing: a page that lacks one of its files would be noticed at the door. */
async function keepVersion(): Promise<void> {
  const fresh = await fetch(page, { cache: 'no-cache', credentials: 'omit' });
  // While servers change over, one of them may still send the page of another build.
  if (!fresh.ok || !(await fresh.clone().text()).includes(entry)) throw new Error('not the page of this build');
  const cache = await caches.open(version);
  await Promise.all((files[page] ?? []).map((file) => keepFile(cache, file)));
  await cache.put(page, fresh);
  // Without waiting for open pages to close: one of the new build that is opened again without a network must not become
  // an older one, which knows nothing of what the new one has stored. Pages of the old build keep their files.
  await self.skipWaiting();
}

/** From an older version if it has the file: its name changes with its content. */
async function keepFile(cache: Cache, file: string): Promise<void> {
  const kept = await caches.match(file, { ignoreVary: true });
  await (kept ? cache.put(file, kept) : cache.add(file));
}

async function freshOrKept(request: Request): Promise<Response> {
  const asked = fetch(request);
  const early = await Promise.race([asked.catch(() => null), nothingAfter(PATIENCE_MS)]);
  if (early && early.status < 500) return early;
  return (await caches.match(page, { cacheName: version, ignoreVary: true })) ?? asked;
}

async function keptOrFresh(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Removes older versions that no open page is of. Never while one is being kept, which no page can be of yet. */
async function clearAway(): Promise<void> {
  if (self.registration.installing) return;
  const { held = [] } = await navigator.locks.query();
  const needed = new Set([version, ...held.map(({ name }) => name)]);
  for (const name of await caches.keys()) {
    if (name.startsWith(`${page} `) && !needed.has(name)) await caches.delete(name);
  }
}

const nothingAfter = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));
