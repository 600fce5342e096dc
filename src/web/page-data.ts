import type { PageData } from '#contract/pages.ts';

/** Id of the block that carries what the server knew. */
export const PAGE_DATA_ID = 'page-data';

export function readPageData(): PageData {
  const block = document.getElementById(PAGE_DATA_ID);
  if (!block?.textContent) return {};
  const page: PageData = JSON.parse(block.textContent);
  return page;
}
