import type { PageHead } from '#web/page-head.ts';
import { forAttendees, forOwners } from './questions.tsx';
import { textOf } from './text-of.ts';

export function faqHead(): PageHead {
  return {
    title: 'FAQ',
    description: 'What tickets cost, when organizers get paid, how refunds work, and what to show at the door.',
    canonical: '/FAQ',
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'FAQPage',
        mainEntity: [...forOwners, ...forAttendees].map(({ question, answer }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: textOf(answer) },
        })),
      },
    ],
  };
}
