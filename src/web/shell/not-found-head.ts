import { notFoundPage, pageNotFound } from '#messages/pages.ts';
import type { PageHead } from '#web/page-head.ts';

export function notFoundHead(): PageHead {
  return { title: pageNotFound, description: notFoundPage, canonical: null };
}
