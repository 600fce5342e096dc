import { createContext, useContext } from 'react';
import type { PageProps } from '#contract/rendered-page.ts';

export const PagePropsContext = createContext<PageProps>({});

/** Data embedded by the server, so the first screen needs no request. */
export function usePageProps(): PageProps {
  return useContext(PagePropsContext);
}
