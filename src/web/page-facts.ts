import type { PageProps } from '#contract/pages.ts';

/** Written by http/page.ts. */
const PAGE_FACTS_ID = 'page-facts';

export function readPageFacts(): PageProps {
  const block = document.getElementById(PAGE_FACTS_ID);
  if (!block?.textContent) return {};
  const page: unknown = JSON.parse(block.textContent);
  return isPageFacts(page) ? page : {};
}

/** Trusted without a check: the same build wrote the block and this code. */
function isPageFacts(page: unknown): page is PageProps {
  return typeof page === 'object' && page !== null;
}
