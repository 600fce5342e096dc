/** Lets a page be opened again without a network. What that takes is done by the worker: src/service-worker/. */

export type KeptPage = '/scanner' | '/success';

/** The one policy that our pages allow: whatever is asked of it, it answers this address. */
const ADDRESS = '/worker.js';
let policy: { createScriptURL(address: string): TrustedScriptURL } | undefined;

/** What goes wrong here is no harm: without its worker a page works as long as there is a network. */
export async function keepPage(page: KeptPage): Promise<void> {
  // Neither over plain http nor in some private windows.
  if (!('serviceWorker' in navigator)) return;
  holdVersion(page);
  // The page itself comes first: keeping it means to fetch some of its files once more.
  if (document.readyState !== 'complete')
    await new Promise((loaded) => addEventListener('load', loaded, { once: true }));
  try {
    policy ??= window.trustedTypes?.createPolicy('worker', { createScriptURL: () => ADDRESS });
    // Other pages have no worker, and are none the slower for it.
    const address = policy?.createScriptURL(ADDRESS) ?? ADDRESS;
    await navigator.serviceWorker.register(address, { scope: page });
  } catch {
    // A visitor may forbid it.
  }
}

const held = new Set<string>();

/** As long as this page is open, the worker keeps the files of its version. The lock goes with the page, however that ends. */
function holdVersion(page: KeptPage): void {
  const version = `${page} ${entryOfPage()}`;
  if (held.has(version)) return;
  held.add(version);
  void navigator.locks.request(version, { mode: 'shared' }, () => new Promise(() => {}));
}

/** The script that began this page: its name changes with any other of the build. Pages that the server draws begin it later. */
function entryOfPage(): string | undefined {
  const later = document.querySelector<HTMLScriptElement>('script[data-entry]')?.dataset['entry'];
  return later ?? document.querySelector('script[type="module"]')?.getAttribute('src') ?? undefined;
}
