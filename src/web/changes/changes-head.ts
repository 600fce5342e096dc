import type { PageRequest } from '#contract/rendered-page.ts';
import { pageChanges } from '#messages/records/page-changes.ts';
import type { PageHead } from '#web/page-head.ts';

export const changesHead = ({ props }: PageRequest): PageHead => ({
  title: pageChanges.title(props.changes?.title ?? ''),
  description: pageChanges.description,
  canonical: null,
});
