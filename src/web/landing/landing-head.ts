import type { PageRequest } from '#contract/rendered-page.ts';
import { supportMailbox } from '#messages/contacts.ts';
import type { PageHead } from '#web/page-head.ts';

const description = 'Sell tickets on one page, scan them with one phone, get paid the next day.';

export function landingHead({ publicUrl, props: { offer } }: PageRequest): PageHead {
  return {
    title: 'Handstamp',
    description,
    canonical: '/',
    image: { path: '/og/handstamp.png', alt: 'Handstamp' },
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: 'Handstamp',
        url: `${publicUrl}/`,
        email: supportMailbox,
      },
      {
        '@context': 'https://schema.org',
        '@type': 'SoftwareApplication',
        name: 'Handstamp',
        url: `${publicUrl}/`,
        description,
        applicationCategory: 'BusinessApplication',
        operatingSystem: 'Any with a web browser',
        ...(offer && {
          offers: {
            '@type': 'Offer',
            name: `${offer.standard.name}, per event`,
            price: (offer.standard.terms.processingCents / 100).toFixed(2),
            priceCurrency: 'USD',
          },
        }),
      },
    ],
  };
}
