import type { PageRequest } from '#contract/rendered-page.ts';
import { contactPage } from '#messages/sales/contact.ts';
import type { PageHead } from '#web/page-head.ts';

export const contactHead = ({ props }: PageRequest): PageHead => ({
  title: contactPage.heading(props.contact?.organizationName ?? null),
  description: contactPage.description,
  canonical: null,
});
