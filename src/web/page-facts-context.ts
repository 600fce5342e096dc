import { createContext, useContext } from 'react';
import type { PageFacts } from '#contract/pages.ts';

export const PageFactsContext = createContext<PageFacts>({});

/** What the server knew when it made this page: the first screen need not ask for it again. */
export function usePageFacts(): PageFacts {
  return useContext(PageFactsContext);
}
