/** Screens whose code comes when it is needed. */
import { type ComponentType, lazy, useState, useSyncExternalStore } from 'react';
import { loadCode } from '#web/load-code.ts';

type Fetch = () => Promise<{ Component: ComponentType }>;

/** `load` brings the code ahead of time; a screen that is there by then draws at once, without a pause. */
export function lazyScreen(fetch: Fetch): { Component: ComponentType; load: () => Promise<void> } {
  let ready: ComponentType | undefined;

  async function load() {
    count(1);
    try {
      ready = (await loadCode(fetch)).Component;
      return { default: ready };
    } catch (error) {
      failed.add(() => {
        later = lazy(load);
      });
      throw error;
    } finally {
      count(-1);
    }
  }
  let later = lazy(load);

  function Component() {
    // Kept: to change from one to the other would start the screen anew.
    const [Shown] = useState<ComponentType>(() => ready ?? later);
    return <Shown />;
  }
  return { Component, load: async () => void (await load()) };
}

const failed = new Set<() => void>();

/** React remembers a failed load. Not before the failure has been shown: a screen that is still to come would try without end. */
export function forgetFailedLoads(): void {
  for (const forget of failed) forget();
  failed.clear();
}

let loading = 0;
const watchers = new Set<() => void>();

export function useIsLoading(): boolean {
  return useSyncExternalStore(
    watch,
    () => loading > 0,
    () => false,
  );
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

function count(change: 1 | -1): void {
  loading += change;
  // React asks for the code in the middle of drawing, when nothing else may be told to draw.
  queueMicrotask(() => {
    for (const tell of watchers) tell();
  });
}
