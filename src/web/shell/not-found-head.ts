import { notFoundPage } from '#messages/pages.ts';
import type { PageHead } from '#web/page-head.ts';

export function notFoundHead(): PageHead {
  return { title: 'Page not found', description: notFoundPage, canonical: null };
}
