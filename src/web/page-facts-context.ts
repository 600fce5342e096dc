import { createContext, useContext } from 'react';
import type { PageProps } from '#contract/pages.ts';

export const PageFactsContext = createContext<PageProps>({});

/** Data embedded by the server, so the first screen needs no request. */
export function usePageFacts(): PageProps {
  return useContext(PageFactsContext);
}
