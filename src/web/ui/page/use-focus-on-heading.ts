import { useEffect } from 'react';

/** Focuses the heading, for a page whose focused button disappears on success: each time that `when` becomes another count. */
export function useFocusOnHeading(when: boolean | number): void {
  useEffect(() => {
    if (when) document.querySelector('h1')?.focus();
  }, [when]);
}
