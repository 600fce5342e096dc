import { useEffect } from 'react';

/** Focuses the heading, for a page whose focused button disappears on success. */
export function useFocusOnHeading(when: boolean): void {
  useEffect(() => {
    if (when) document.querySelector('h1')?.focus();
  }, [when]);
}
