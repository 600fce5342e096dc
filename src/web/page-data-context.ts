import { createContext, useContext } from 'react';
import type { PageData } from '#contract/pages.ts';

export const PageDataContext = createContext<PageData>({});

/** What the server knew when it made this page: the first screen need not ask for it again. */
export function usePageData(): PageData {
  return useContext(PageDataContext);
}
