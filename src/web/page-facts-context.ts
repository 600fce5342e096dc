import { createContext, useContext } from 'react';
import type { PageProps } from '#contract/pages.ts';

export const PageFactsContext = createContext<PageProps>({});

/** What the server knew when it made this page: the first screen need not ask for it again. */
export function usePageFacts(): PageProps {
  return useContext(PageFactsContext);
}
