import { useEffect } from 'react';

/** The name of the tab; screen readers say it on arrival. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Handstamp' ? title : `${title} · Handstamp`;
  }, [title]);
}
