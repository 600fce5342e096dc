import { type ComponentType, useEffect, useState } from 'react';
import { loadCode } from '#web/load-code.ts';
import type { Part, PartName } from './parts.ts';

/** A part of the frame that few people see. Without it, the screens still work. */
export function usePart(isShown: boolean, name: PartName): ComponentType<Part> | null {
  const [Loaded, setLoaded] = useState<ComponentType<Part> | null>(null);
  useEffect(() => {
    if (isShown)
      loadCode(() => import('./parts.ts'))
        .then(({ parts }) => parts[name]())
        .then(
          ({ Component }) => setLoaded(() => Component),
          () => {},
        );
  }, [isShown, name]);
  return isShown ? Loaded : null;
}
