import type { PageHead } from '#web/page-head.ts';

export function legalHead(): PageHead {
  return {
    title: 'Terms And Conditions',
    description: 'The terms of service, the privacy policy and the cookie policy of Handstamp.',
    canonical: '/legal',
  };
}
