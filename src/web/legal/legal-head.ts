import { termsTitle } from '#messages/pages.ts';
import type { PageHead } from '#web/page-head.ts';

export function legalHead(): PageHead {
  return {
    title: termsTitle,
    description: 'The terms of service, the privacy policy and the cookie policy of Handstamp.',
    canonical: '/legal',
  };
}
