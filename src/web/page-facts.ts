import type { PageProps } from '#contract/pages.ts';

/** Written by http/page.ts. */
const PAGE_FACTS_ID = 'page-facts';

export function readPageFacts(): PageProps {
  const block = document.getElementById(PAGE_FACTS_ID);
  if (!block?.textContent) return {};
  const page: unknown = JSON.parse(block.textContent);
  return isPageFacts(page) ? page : {};
}

/** The server that wrote the block also sent this code, so its shape is not asked for again. */
function isPageFacts(page: unknown): page is PageProps {
  return typeof page === 'object' && page !== null;
}
