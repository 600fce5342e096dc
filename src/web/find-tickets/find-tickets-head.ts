import { findTicketsPage } from '#messages/sales/find-tickets.ts';
import type { PageHead } from '#web/page-head.ts';

export const findTicketsHead = (): PageHead => ({
  title: findTicketsPage.title,
  description: findTicketsPage.description,
  canonical: '/find-tickets',
});
