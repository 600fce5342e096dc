import type { PageRequest } from '#contract/rendered-page.ts';
import type { PageHead } from '#web/page-head.ts';
import { forAttendees, forOwners } from './questions.tsx';
import { textOf } from './text-of.ts';

export function faqHead({ props: { offer } }: PageRequest): PageHead {
  const owners = offer ? forOwners(offer) : [];
  return {
    title: 'FAQ',
    description: 'What tickets cost, when organizers get paid, how refunds work, and what to show at the door.',
    canonical: '/FAQ',
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'FAQPage',
        mainEntity: [...owners, ...forAttendees].map(({ question, answer }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: textOf(answer) },
        })),
      },
    ],
  };
}
