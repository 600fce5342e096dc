/**
 * Lets one page open offline: the scanner or a buyer's tickets, depending on the registration's scope. Caches that page and its
 * files, and nothing else. The reasons: docs/decisions/0034.
 */
import { strategyFor } from './strategy.ts';

declare const self: ServiceWorkerGlobalScope;
/** Defined by the build: vite.worker.config.ts. */
declare const BUILD: { entry: string; files: Record<string, string[]> };

/** At the door, a slower network counts as offline. */
const TIMEOUT_MS = 3000;

const page = new URL(self.registration.scope).pathname;
const { entry, files } = BUILD;
/** Names the cache, and the lock that open pages of this version hold: src/web/keep-page.ts. */
const version = `${page} ${entry}`;

self.addEventListener('install', (event) => event.waitUntil(cacheVersion()));

// Takes control of pages that loaded before the worker, so that they need no reload.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const strategy = strategyFor(event.request, { origin: location.origin, page });
  if (strategy === 'file') event.respondWith(cacheFirst(event.request));
  if (strategy === 'page') {
    event.respondWith(networkFirst(event.request));
    event.waitUntil(deleteOldVersions());
  }
});

/** All or nothing: a page that lacks a file would fail at the door. */
async function cacheVersion(): Promise<void> {
  const fresh = await fetch(page, { cache: 'no-cache', credentials: 'omit' });
  // During a deployment, a server may still send the page of another build.
  if (!fresh.ok || !(await fresh.clone().text()).includes(entry)) throw new Error('not the page of this build');
  const cache = await caches.open(version);
  await Promise.all((files[page] ?? []).map((file) => cacheFile(cache, file)));
  await cache.put(page, fresh);
  // Does not wait for open pages to close: a page of the new build must not reopen offline as the old one, which cannot read
  // what the new one has stored. Open pages of the old build keep their files.
  await self.skipWaiting();
}

/** Copies the file from an older version if it is there: names change with the content. */
async function cacheFile(cache: Cache, file: string): Promise<void> {
  const cached = await caches.match(file, { ignoreVary: true });
  await (cached ? cache.put(file, cached) : cache.add(file));
}

async function networkFirst(request: Request): Promise<Response> {
  const response = fetch(request);
  const early = await Promise.race([response.catch(() => null), nullAfter(TIMEOUT_MS)]);
  if (early && early.status < 500) return early;
  return (await caches.match(page, { cacheName: version, ignoreVary: true })) ?? response;
}

async function cacheFirst(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Deletes versions that no open page uses, but never during an install, whose cache no page uses yet. */
async function deleteOldVersions(): Promise<void> {
  if (self.registration.installing) return;
  const { held = [] } = await navigator.locks.query();
  const inUse = new Set([version, ...held.map(({ name }) => name)]);
  for (const name of await caches.keys()) {
    if (name.startsWith(`${page} `) && !inUse.has(name)) await caches.delete(name);
  }
}

const nullAfter = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));
