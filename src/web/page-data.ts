import type { PageData } from '#contract/pages.ts';

/** Written by http/page.ts. */
const PAGE_DATA_ID = 'page-data';

export function readPageData(): PageData {
  const block = document.getElementById(PAGE_DATA_ID);
  if (!block?.textContent) return {};
  const page: unknown = JSON.parse(block.textContent);
  return isPageData(page) ? page : {};
}

/** The server that wrote the block also sent this code, so its shape is not asked for again. */
function isPageData(page: unknown): page is PageData {
  return typeof page === 'object' && page !== null;
}
