import { useEffect, useState } from 'react';

/**
 * A part of the page that most visitors don't need. Null until it is loaded, and if that fails.
 *
 * @param load with `loadCode`, and the same function each time
 */
export function useLoaded<Part>(isNeeded: boolean, load: () => Promise<Part>): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    let isGone = false;
    load().then(
      (loaded) => {
        if (!isGone) setPart(loaded);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isNeeded, load]);
  return part;
}
