/** Makes a page available offline. The service worker in src/service-worker/ does the work. */

export type OfflinePage = '/scanner' | '/success' | '/order' | '/ticket';

/** Our only Trusted Types policy: it always returns this URL. */
const ADDRESS = '/worker.js';
let policy: { createScriptURL(address: string): TrustedScriptURL } | undefined;

/** Failures are harmless: without its service worker, a page still works online. */
export async function registerOfflinePage(page: OfflinePage): Promise<void> {
  // Missing over plain http and in some private windows.
  if (!('serviceWorker' in navigator)) return;
  lockVersion(page);
  // After the page has loaded, because caching it fetches some files again.
  if (document.readyState !== 'complete')
    await new Promise((loaded) => addEventListener('load', loaded, { once: true }));
  try {
    policy ??= window.trustedTypes?.createPolicy('worker', { createScriptURL: () => ADDRESS });
    // The scope limits the service worker to this page, so it slows no other page.
    const address = policy?.createScriptURL(ADDRESS) ?? ADDRESS;
    await navigator.serviceWorker.register(address, { scope: page });
  } catch {
    // The visitor may block service workers.
  }
}

const lockedVersions = new Set<string>();

/** Holds a lock that tells the service worker to keep this version's files. The browser releases it with the page. */
function lockVersion(page: OfflinePage): void {
  const version = `${page} ${entryScript()}`;
  if (lockedVersions.has(version)) return;
  lockedVersions.add(version);
  void navigator.locks.request(version, { mode: 'shared' }, () => new Promise(() => {}));
}

/** The entry script, whose name is unique per build. */
function entryScript(): string | undefined {
  return document.querySelector<HTMLScriptElement>('script[data-entry]')?.dataset['entry'];
}
