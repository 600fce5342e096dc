import { useEffect } from 'react';

/** The name of the tab; screen readers say it on arrival. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    document.title = title === 'Handstamp' ? title : `${title} · Handstamp`;
  }, [title]);
}
