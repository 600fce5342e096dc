import { useEffect } from 'react';

/** Sets the document title, which screen readers announce. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    document.title = tabTitle(title);
  }, [title]);
}

export function tabTitle(title: string): string {
  return title === 'Handstamp' ? title : `${title} · Handstamp`;
}
