import { type RefObject, useEffect, useRef } from 'react';

/** Focuses the first field of a card that was just added. */
export function useFocusIfNew(isNew: boolean): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNew) field.current?.focus();
  }, [isNew]);
  return field;
}
