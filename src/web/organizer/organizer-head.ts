import type { PageRequest } from '#contract/rendered-page.ts';
import { organizerPage as text } from '#messages/sales/organizer-page.ts';
import type { PageHead } from '#web/page-head.ts';

const DESCRIPTION_LENGTH_MAX = 160;

export function organizerHead({ props: { organizer }, publicUrl }: PageRequest): PageHead {
  if (!organizer) return { title: '', description: '', canonical: null };
  const { slug, name, bio, website, logo } = organizer;
  const about = (bio ?? text.description(name)).replace(/\s+/g, ' ');
  return {
    title: name,
    description:
      about.length <= DESCRIPTION_LENGTH_MAX ? about : `${about.slice(0, DESCRIPTION_LENGTH_MAX - 1).trimEnd()}…`,
    canonical: `/o/${slug}`,
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name,
        url: `${publicUrl}/o/${slug}`,
        ...(logo && { logo }),
        ...(website && { sameAs: [website] }),
      },
    ],
  };
}
