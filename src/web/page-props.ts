import type { PageProps } from '#contract/rendered-page.ts';

/** Written by http/page.ts. */
const PAGE_PROPS_ID = 'page-props';

export function readPageProps(): PageProps {
  const block = document.getElementById(PAGE_PROPS_ID);
  if (!block?.textContent) return {};
  const page: unknown = JSON.parse(block.textContent);
  return isPageProps(page) ? page : {};
}

/** Trusted without a check: the same build wrote the block and this code. */
function isPageProps(page: unknown): page is PageProps {
  return typeof page === 'object' && page !== null;
}
