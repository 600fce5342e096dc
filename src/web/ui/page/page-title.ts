import { useEffect } from 'react';

/** The name of the tab; screen readers say it on arrival. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    document.title = tabTitle(title);
  }, [title]);
}

export function tabTitle(title: string): string {
  return title === 'Handstamp' ? title : `${title} · Handstamp`;
}
