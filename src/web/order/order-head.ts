import { orderPage } from '#messages/sales/order-page.ts';
import type { PageHead } from '#web/page-head.ts';

/** Says nothing of the order: previews of a shared link show it. */
export const orderHead = (): PageHead => ({
  title: orderPage.title,
  description: 'Tickets for an event.',
  canonical: null,
});
