import { privacyPage } from '#messages/privacy.ts';
import type { PageHead } from '#web/page-head.ts';

export function privacyHead(): PageHead {
  return {
    title: privacyPage.title,
    description:
      'What Handstamp stores about buyers and organizers, why and for how long, and how to see or delete it.',
    canonical: '/privacy',
  };
}
