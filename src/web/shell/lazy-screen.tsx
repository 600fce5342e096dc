/** Screens, and parts of them, whose code is loaded on demand. */
import { type ComponentType, lazy, useState, useSyncExternalStore } from 'react';
import { loadCode } from '#web/load-code.ts';

/** `load` preloads the code; a preloaded screen renders without suspending. */
export function lazyScreen<Props extends object = object>(
  loadModule: () => Promise<{ Component: ComponentType<Props> }>,
): { Component: ComponentType<Props>; load: () => Promise<void> } {
  let ready: ComponentType<Props> | undefined;

  async function load() {
    count(1);
    try {
      ready = (await loadCode(loadModule)).Component;
      return { default: ready };
    } catch (error) {
      failed.add(() => {
        LazyComponent = lazy(load);
      });
      throw error;
    } finally {
      count(-1);
    }
  }
  let LazyComponent: ComponentType<Props> = lazy(load);

  function Component(props: Props) {
    // Stable, because switching components would remount the screen.
    const [Shown] = useState<ComponentType<Props>>(() => ready ?? LazyComponent);
    return <Shown {...props} />;
  }
  return { Component, load: async () => void (await load()) };
}

const failed = new Set<() => void>();

/** React caches a rejected load. Don't retry before the error was shown, or a suspended screen would retry forever. */
export function resetFailedLoads(): void {
  for (const reset of failed) reset();
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
  // React calls this while rendering, when no other component may update.
  queueMicrotask(() => {
    for (const notify of watchers) notify();
  });
}
