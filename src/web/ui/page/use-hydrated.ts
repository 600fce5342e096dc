import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and during hydration, when both must render the same. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
