import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and while the browser takes its page over: until then both must draw the same. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
